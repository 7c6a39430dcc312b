"""Generated from protos/referee/v1 by `make protos`; do not edit."""

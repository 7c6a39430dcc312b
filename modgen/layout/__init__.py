"""How a game's modules look and are laid out: ``data/<game>/module.toml``, read and checked."""

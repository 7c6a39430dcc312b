"""The traits of pieces: what fields each has, in order, with the engine's own defaults.

``make("delete", menu="Remove", key="127,0")`` writes a type string without a forgotten field. Traits that are not listed here
are read and written all the same, by number instead of by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from modgen.formats.vassal import sequence

_GKC_TARGET: Final = "COUNTER|false|MAP|||||0|0||false|||EQUALS||"


@dataclass(frozen=True, slots=True)
class TraitSpec:
    """One kind of trait: its id, field names with default values, and the state of a fresh piece."""

    id: str
    fields: tuple[tuple[str, str], ...]
    state: str = ""
    sep: str = ";"
    names: tuple[str, ...] = field(init=False)
    """The field names, in order."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(name for name, _ in self.fields))


def _spec(trait: str, fields: str, state: str = "") -> TraitSpec:
    """Fields are written ``name`` or ``name=default``, separated by white space; ``_`` in a default is a space."""
    pairs = []
    for word in fields.split():
        name, _, default = word.partition("=")
        pairs.append((name, default.replace("_", " ")))
    return TraitSpec(trait, tuple(pairs), state)


_ALL: Final = (
    _spec("piece", "clone_key delete_key image name", "null;0;0;;0"),
    _spec("mark", "names"),
    _spec("prototype", "name parameters"),
    _spec(
        "emb2",
        "activate_menu=Activate activate_mod=128 activate_letter=A up_menu up_mod=128 up_letter down_menu down_mod=128 down_letter "
        "reset_menu reset_key reset_level=1 underneath=false x=0 y=0 images level_names loop=true name random_key random_menu "
        "follow=false property first_level=1 version=1 always_active=true activate_key=65,130 up_key down_key description scale=1.0 "
        "only_name only_state=true",
        "1",
    ),
    _spec(
        "obs",
        "key=77,130 image menu=Mask style=I mask_name=? access=player: peek_menu=Peek description auto_peek=true deal_key deal_expression",
        "null;",
    ),
    _spec("hide", "key=73,130 menu=Invisible colour access=player: transparency=0.30000001192092896 description no_report=false", "null"),
    _spec(
        "footprint",
        "key menu=Movement_Trail visible=false global=false radius=10 fill=255,255,255 line=0,0,0 transparency=100 unselected=50 "
        "buffer=20 board_buffer=30 width=1.0 key_on key_off key_clear description",
        "false;;0;false",
    ),
    _spec(
        "markmoved",
        "image=moved.gif x=0 y=0 menu=Toggle_whether_piece_marked_as_moved key=77,130 description ignore_same=false "
        "menu_true=Mark_piece_as_moved key_true menu_false=Mark_piece_as_unmoved key_false",
        "false",
    ),
    _spec(
        "rotate",
        "facings=6 cw_key=93,130 ccw_key=91,130 cw_menu=Rotate_CW ccw_menu=Rotate_CCW random_key random_menu name description "
        "direct_key direct_menu expression type_facing=true",
        "0",
    ),
    _spec(
        "sendto",
        "menu key map board x=0 y=0 back_menu back_key x_index=0 y_index=0 x_offset=1 y_offset=1 description dest=L zone region filter "
        "grid_location",
        ";;",
    ),
    _spec("delete", "menu=Delete key=68,130 description"),
    _spec("clone", "menu=Clone key=67,130 description"),
    _spec("report", "keys format=$location$:_$newPieceName$_* cycle_key cycle_formats description no_suppress=false", "-1"),
    _spec("submenu", "name=Sub-Menu items description"),
    _spec("PROP", "name limits=false,0,100,false commands description"),
    _spec("setprop", "name limits=false,0,100,false commands description level=Current_Zone/Current_Map/Module search"),
    _spec(
        "setpieceprop",
        f"name limits=false,0,100,false commands description target={_GKC_TARGET} filter restrict_range=false range=1 fixed_range=true "
        "range_property deck_count=-1 overlay=false",
    ),
    _spec("calcProp", "name expression description"),
    _spec(
        "macro",
        "name menu=Trigger key=84,130 filter watch_keys action_keys loop=false pre_key post_key loop_type=counted while until count "
        "index=false index_property start=1 step=1",
    ),
    _spec(
        "placemark",
        "menu=Place_Marker key=77,130 piece=null slot=null x=0 y=0 match_rotation=false after_key description gpid placement=0 "
        "above=false copy_properties=false parameters version=1",
    ),
    _spec(
        "replace",
        "menu=Replace key=82,130 piece=null slot=null x=0 y=0 match_rotation=false after_key description gpid placement=0 above=false "
        "copy_properties=false parameters version=1",
    ),
    _spec(
        "globalkey",
        "menu key=71,130 sent_key=75,130 filter restrict_range=false range=1 report_single=true fixed_range=true range_property "
        f"description deck_count=-1 target={_GKC_TARGET} suppress_sounds=false parameters",
    ),
    _spec("globalhotkey", "menu key=72,130 hotkey description"),
    _spec("hideCmd", "name action=Hide filter keys"),
    _spec("restrict", "sides by_player=false restrict_movement=true description"),
    _spec("immob", "selection move=N stack=R description"),
    _spec(
        "label",
        "key menu=Change_label size=10 background foreground=0,0,0 v_pos=t v_off=0 h_pos=c h_off=0 v_just=b h_just=c "
        "name_format=$pieceName$_($label$) family=Dialog style=0 degrees=0 property=TextLabel description always_use=false",
    ),
    _spec("return", "menu=Return_to_Deck key=82,130 old_deck prompt=Select_destination description version=2 select=true deck"),
    _spec("nonRect2", "scale=1.0 shape"),
    _spec("translate", "menu=Move_Forward key=77,130 x=0 y=60 move_stack=false x_index=0 y_index=0 x_offset=0 y_offset=0 description"),
    _spec("basicName", "name"),
    _spec("border", "menu key width=2 colour=255,0,0 property logic=AND"),
    _spec("cmt", "text"),
    _spec("menuSeparator", "name description"),
    _spec("deselect", "menu=Deselect key=75,0 description unstack=false type=D"),
    _spec("playSound", "menu format=Play_Sound key=80,130 global=false description no_suppress=false"),
    _spec(
        "AreaOfEffect",
        "colour=128,128,128 opacity=30 radius=1 always_active=true menu=Show_area key shader fixed_radius=true radius_property description "
        "name menu_on key_on menu_off key_off global=true",
        "false",
    ),
    _spec(
        "attach",
        "name description menu=Attach_to_pieces key clear_menu=Clear_all_attachments clear_key filter restrict_range=false range=1 "
        "fixed_range=true range_property deck_count=-1 target=COUNTER|false|MAP|||||0|0||false|||EQUALS|| "
        "clear_matching_menu=Clear_matching_attachments clear_matching_key clear_matching_filter on_attach=nothing on_detach=nothing "
        "before=clear allow_self=false auto=true",
        "0",
    ),
    # The outline's points follow the last field when there are any.
    _spec("button", "key x=0 y=0 width=0 height=0 description opens_menu=false whole_shape=true version=1 points=0"),
    _spec("locCommand", "description type filter menu=Do_Something_At_$LocationOfCommand$ key this_map_only=true"),
    _spec("locmsg", "key description message"),
    _spec("mat", "name=Mat description", "0"),
    _spec("matPiece", "description keep_facing=true x=0 y=0 found_key left_key", "noMat"),
    _spec("pivot", "menu key x=0 y=0 fixed_angle=true angle=90.0 description menu_2 key_2 angle_2=270.0"),
    _spec("propertysheet", "definition menu=Property_Sheet unused commit=0 red green blue key=80,130 description", "None"),
    _spec("table", "rows=2 columns=2 menu=Show_Data key=83,130 description", "None"),
)

DECK: Final = _spec(
    "deck",
    "draw=false colour=0,0,0 width=40 height=40 face_down=Always shuffle=Always allow_multiple=true allow_select=true reversible=true "
    "reshuffle_menu reshuffle_target reshuffle_format name=deck shuffle_format reverse_format face_down_format draw_face_up=false "
    "can_save=false shuffle_key reshuffle_key max_stack=10 count_expressions expression_counting=false commands hotkey_on_empty=false "
    "empty_key select_format=$BasicName$ select_sort restrict=false restrict_filter shuffle_menu=Shuffle reverse_menu=Reverse reverse_key "
    "draw_multiple_menu=Draw_multiple_cards draw_specific_menu=Draw_specific_cards face_up_menu=Face_up face_down_menu=Face_down "
    "face_up_key face_up_format face_flip_key face_down_key save_menu=Save_Deck save_key save_format=Deck_Saved load_menu=Load_Deck "
    "load_key load_format=Deck_Loaded restrict_access=false owners",
)
"""The type of a deck, which is written as a trait is."""

TRAITS: Final[Mapping[str, TraitSpec]] = {spec.id: spec for spec in _ALL}
"""Trait id -> its fields."""


def make(trait: str, **fields: str | int | float | bool) -> str:
    """The type string of a trait, every field in its place; fields not given take the engine's default.

    Booleans become ``true`` and ``false``. Raises KeyError for a trait or field that is not listed in ``TRAITS``.
    """
    spec = TRAITS[trait]
    unknown = set(fields) - set(spec.names)
    if unknown:
        raise KeyError(f"trait {trait} has no field {', '.join(sorted(unknown))}; it has {', '.join(spec.names)}")
    values = [_word(fields[name]) if name in fields else default for name, default in spec.fields]
    if trait in ("mark", "prototype", "basicName", "cmt") and len(values) > 1 and not values[-1]:
        values.pop()
    return f"{trait};{sequence.encode(values, ';')}"


def _word(value: str | float | bool) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)

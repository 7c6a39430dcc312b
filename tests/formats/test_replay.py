"""The short ways through a log - texts compared as they stand, stacks worked out when asked for - held against the long ones."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal import saves, sequence
from modgen.formats.vassal.pieces import Basic, Stack, basic, markers, split_traits
from modgen.formats.vassal.replay import Game, LivePiece
from tests.formats.test_bad_files import zipped

WORD = st.text("ab;\t\\'/,1", max_size=6).map(lambda text: text.rstrip("\\"))  # the engine itself loses a backslash at the end
KINDS = st.sampled_from(["mark;Nation", "mark;A,B", "emb2;x", "PROP;n", "'q'", "delete;"])
TRAITS = st.lists(st.tuples(KINDS, WORD), max_size=4)
PLACES = st.sampled_from([("Map", 1, 2), ("Map", 10, 2), ("", 0, 0), ("A;B", 3, 4), ("L'Aigle", 5, 6)])
PROPS = st.lists(st.tuples(st.sampled_from(["OldX", "K'"]), WORD), max_size=2).map(tuple)
INNER = st.builds(lambda place, gpid, props: Basic("n", "i.png", *place, gpid, props).state, PLACES, st.sampled_from(["7", "8'"]), PROPS)


def nested(states: list[str], inner: str) -> str:
    return sequence.encode_nested([*states, inner], "\t")


@given(st.data(), TRAITS, INNER)
def test_a_changed_piece_takes_over_what_differs_trait_by_trait(data: st.DataObject, traits: list[tuple[str, str]], inner: str) -> None:
    kinds = [kind for kind, _ in traits]
    type_text = sequence.encode_nested([*kinds, "piece;;;i.png;n"], "\t")
    start = nested([state for _, state in traits], inner)
    live = LivePiece("1", type_text, start)
    types, states = split_traits(type_text, start)
    place = basic(types[-1], states[-1])
    assert live.place == (place.map, place.x, place.y)
    for _ in range(data.draw(st.integers(1, 4))):
        before = list(states)
        old = nested(before[:-1], data.draw(st.one_of(st.just(before[-1]), INNER)))
        changed = [data.draw(st.one_of(st.just(state), st.just(state), WORD)) for state in before[:-1]]
        new = nested(changed, data.draw(INNER))
        olds, news = (split_traits(type_text, text)[1] for text in (old, new))
        told = live.merge_state(new, old)
        differing = [at for at, (was, now) in enumerate(zip(olds, news, strict=True)) if was != now]
        assert told == [(types[at], states[at], news[at]) for at in differing if at < len(types) - 1]
        for at in differing:
            states[at] = news[at]
        assert [(trait.text, trait.state) for trait in live.piece().traits] == list(zip(types, states, strict=True))
        assert live.markers() == markers(types, states)
        assert live.basic == basic(types[-1], states[-1])
        assert live.place == (live.basic.map, live.basic.x, live.basic.y)


@given(TRAITS, INNER, PLACES)
def test_a_moved_piece_tells_its_new_place_until_a_state_says_another(
    traits: list[tuple[str, str]], inner: str, place: tuple[str, int, int]
) -> None:
    type_text = sequence.encode_nested([*(kind for kind, _ in traits), "piece;;;i.png;n"], "\t")
    states = [state for _, state in traits]
    live = LivePiece("1", type_text, nested(states, inner))
    live.put(place)
    found = basic(*(parts[-1] for parts in split_traits(type_text, live.state)))
    assert live.place == (live.basic.map, live.basic.x, live.basic.y) == (found.map, found.x, found.y) == place
    live.set_state(nested(states, inner))
    assert live.basic == basic(*(parts[-1] for parts in split_traits(type_text, nested(states, inner))))


IDS = st.sampled_from(["p1", "p2", "p3"])
HOLDERS = st.sampled_from(["s1", "s2", "d1"])
SPOTS = st.sampled_from([("Map", 1, 1), ("Map", 2, 2), ("", 0, 0)])
MEMBERS = st.lists(IDS, unique=True, max_size=3).map(tuple)


def pile_state(place: tuple[str, int, int], members: tuple[str, ...]) -> str:
    return Stack("", *place, members).state


def added(pile: str, place: tuple[str, int, int], members: tuple[str, ...]) -> cmd.AddPiece:
    if pile == "d1":
        return cmd.AddPiece(pile, "deck;x", f"Map;2;2;false;{','.join(members)}")
    return cmd.AddPiece(pile, "stack", pile_state(place, members))


def moved(piece: str, place: tuple[str, int, int], under: str) -> cmd.MovePiece:
    return cmd.MovePiece(piece, *place, under, "Map", 1, 1, "", "x")


def piles(game: Game) -> tuple[object, ...]:
    return list(game.stacks.items()), list(game.decks.items()), game.in_stack


PILING = st.one_of(
    st.builds(added, HOLDERS, SPOTS, MEMBERS),
    st.builds(lambda i, at: cmd.AddPiece(i, "mark;A\tpiece;;;;n", f"a\t{at[0] or 'null'};{at[1]};{at[2]};7;0"), IDS, SPOTS),
    st.builds(moved, st.one_of(IDS, HOLDERS), SPOTS, st.one_of(IDS, st.just(""))),
    st.builds(cmd.RemovePiece, st.one_of(IDS, HOLDERS)),
    st.builds(lambda i, at, members: cmd.ChangePiece(i, pile_state(at, members), ""), HOLDERS, SPOTS, MEMBERS),
    st.builds(lambda i, at: cmd.ChangePiece(i, f"b\t{at[0] or 'null'};{at[1]};{at[2]};7;0", "a\tMap;9;9;7;0"), IDS, SPOTS),
)


@given(st.lists(PILING, max_size=20))
def test_stacks_are_the_same_whether_asked_for_at_the_end_or_all_the_time(commands: list[cmd.Command]) -> None:
    late, early = Game(), Game()
    for command in commands:
        late.apply(command)
        early.apply(command)
        assert early.holders == {*early.stacks, *early.decks} and early.in_stack is not None
    assert late.holders == early.holders
    assert piles(late) == piles(early)
    assert {i: live.place for i, live in late.pieces.items()} == {i: live.place for i, live in early.pieces.items()}


@given(st.sampled_from(["D/", "+/", "M/", "-/"]), st.lists(st.text("1a/\t\\'n", max_size=5), max_size=11))
def test_commands_about_pieces_are_cut_at_the_slashes_that_are_not_escaped(word: str, parts: list[str]) -> None:
    text = word + "/".join(parts)
    command, decoded = cmd.parse_command(text), sequence.decode(text, "/")
    match command:
        case cmd.ChangePiece():
            assert [command.id, command.new, *([] if command.old is None else [command.old])] == decoded[1:4]
        case cmd.AddPiece():
            assert [command.id, command.type, command.state] == decoded[1:4]
        case cmd.MovePiece():
            assert [command.id, str(command.x), command.player] == [decoded[1], str(int(decoded[3])), decoded[10] if decoded[10:] else ""]
        case cmd.RemovePiece():
            assert command.id == decoded[1]
        case _:
            least = {"D/": 3, "+/": 4, "M/": 10, "-/": 2}[word]
            assert len(decoded) < least or (word == "M/" and not all(number.isdecimal() for at in (3, 4, 7, 8) for number in [decoded[at]]))


@given(st.text("a\\\x1b", max_size=12), st.integers(0, 8))
def test_commands_are_found_where_a_text_would_be_split(text: str, most: int) -> None:
    assert cmd.chunks_of(text, most) == text.split(cmd.ESC, most)


TOKEN = st.tuples(st.integers(0, 2), st.sampled_from(["LOG\tnull", "LOG\tCHATx", "CHATx", "begin_save", "end_save", ""]))


@given(st.lists(TOKEN, max_size=12), st.sampled_from(["end_save", "LOG\tCHATx\\", "begin_save\\", "\\\\"]))
def test_a_log_is_cut_where_something_logged_stands_at_the_top(rest: list[tuple[int, str]], last: str) -> None:
    tokens = [(0, "begin_save"), *rest, (0, last)]
    log = saves.read_log(zipped(savedGame=cmd.join_tree(tokens).encode()), where="x")
    loads: list[list[tuple[int, str]]] = [[]]
    logged = False
    for token in tokens:
        logged = logged or (not token[0] and token[1].startswith("LOG\t"))
        if logged and token == (0, "begin_save"):
            loads.append([])
        loads[-1].append(token)
    number = 0
    for part, expected in zip((log, *log.loads), loads, strict=True):
        groups: list[list[tuple[int, str]]] = []
        start: list[tuple[int, str]] = []
        for depth, text in expected:
            if not depth and (groups or text.startswith("LOG\t")):
                groups.append([])
            (groups[-1] if groups else start).append((depth, text))
        done = [tuple(group) for group in groups if group[0][1].startswith("LOG\t")]
        assert list(part.start.tokens) == start and [step.tokens for step in part.steps] == done
        assert [step.number for step in part.steps] == list(range(number + 1, number + 1 + len(done)))
        assert list(part.stray) == [text for group in groups if not group[0][1].startswith("LOG\t") for _, text in group]
        for step in part.steps:
            assert step.commands == tuple(cmd.parse_command(text.removeprefix("LOG\t")) for _, text in step.tokens)
            assert step.everyday == all(text.startswith(("LOG\tnull", "LOG\tCHAT")) for _, text in step.tokens)
        number += len(done)


def test_a_piece_whose_deck_came_again_without_it_and_went_holds_no_others() -> None:
    piece, there = "piece;;;;n", ("Map", 2, 2)
    commands = [
        cmd.AddPiece("p1", piece, "Map;2;2;7;0"),
        cmd.AddPiece("p2", piece, "Map;1;1;8;0"),
        added("d1", there, ("p1",)),
        added("d1", there, ()),
        cmd.RemovePiece("d1"),
        moved("p2", there, "p1"),
    ]
    game = Game().run(commands)
    assert piles(game) == ([], [], {"p1": "d1"}) and game.pieces["p2"].place == there

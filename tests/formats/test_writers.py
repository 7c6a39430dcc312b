"""The log writer gives the same bytes as the engine's own logger; saves and new games are the engine's too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from modgen.formats.errors import FormatError
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.buildfile import Module, read_module
from modgen.formats.vassal.logwriter import LogWriter, hash_order, java_hash
from modgen.formats.vassal.newgame import new_game, predefined
from modgen.formats.vassal.pieces import parse_piece
from modgen.formats.vassal.replay import Game
from modgen.formats.vassal.saves import LogFile, Metadata, SaveFile, read_log, read_save, save_tokens, write_log, write_save
from modgen.formats.vassal.steps import Step
from tests.formats.files import CLUB, LOGS, SAMPLE, SAMPLES, module_of, name


def new_ids(log: LogFile) -> Callable[[], str]:
    """The ids that the engine gave, one after the other."""
    given = iter([c.id for step in log.steps for c in step.commands if isinstance(c, cmd.AddPiece)])
    return lambda: next(given)


class Again:
    """Does what a log says with a writer, step by step. ``skipped`` are steps that the writer has no operation for."""

    def __init__(self, log: LogFile, module: Module) -> None:
        self.players = {player.id: player for player in log.start.players}
        self.writer = LogWriter(log.start, module, next(iter(self.players.values())), new_id=new_ids(log))
        self.module = module
        self.skipped: set[int] = set()

    def do(self, step: Step) -> None:
        commands = step.commands
        if not self._known(commands):
            self.skipped.add(step.number)
            for command in commands:
                self.writer.game.apply(command)
                if isinstance(command, cmd.AddPiece):
                    self.writer._new_id()
            self.writer._steps.append(step.tokens)

    def _known(self, commands: tuple[cmd.Command, ...]) -> bool:
        writer = self.writer
        moves = [c for c in commands if isinstance(c, cmd.MovePiece)]
        chats = [c.text for c in commands if isinstance(c, cmd.Chat)]
        first = chats[0] if chats else ""
        changes = [c for c in commands if isinstance(c, cmd.ChangePiece)]
        added = [c for c in commands if isinstance(c, cmd.AddPiece) and not c.is_stack]
        turns = [c for c in commands if isinstance(c, cmd.Turn)]
        removed = [c for c in commands if isinstance(c, cmd.RemovePiece)]
        results = [c for c in commands if isinstance(c, cmd.PropertyChange) and c.name.endswith("_result")]
        joined = [c for c in commands if isinstance(c, cmd.Player)]
        if moves:
            writer.act_as(self.players[moves[0].player])
        if any(isinstance(c, cmd.Undo) for c in commands):
            writer.undo()
        elif joined:
            self.players[joined[0].id] = joined[0]
            writer.join(joined[0])
        elif added and " created in " in first:
            basic = parse_piece(added[0].type, added[0].state).basic
            slot = next(slot for slot in self.module.slots if slot.gpid == basic.gpid)
            to = moves[0] if moves else basic
            writer.place(slot, to.x, to.y, to.map)
        elif moves and " moves " in first and "A card" not in first:
            writer.move([move.id for move in moves], moves[0].x, moves[0].y, moves[0].map)
        elif len(moves) == 1 and changes and not added and "A card" not in first:
            writer.send(moves[0].id, say=first.removeprefix("* "))
        elif turns and len(commands) == 2:
            writer.set_turn(turns[0].state)
        elif results and "SHOW" not in str(commands[0]):
            writer.act_as(next(p for p in self.players.values() if first.endswith(f"<{p.name}>")))
            writer.roll(results[0].name.removesuffix("_result"), [int(face) for face in results[0].new.split(",")])
        elif removed and not chats:
            writer.delete(removed[0].id)
        elif first.startswith("&lt;"):
            said_by, words = first.removeprefix("&lt;").split("&gt; - ", 1)
            writer.act_as(next(p for p in self.players.values() if p.name == said_by))
            writer.chat(words)
        elif " flips *" in first and len(changes) == 1:
            writer.set_layer(changes[0].id, "Step", 2, say=first.removeprefix("* "))
        elif len(commands) == 1 and isinstance(commands[0], cmd.PropertyChange):
            writer.set_property(commands[0].name, commands[0].new)
        else:
            return False
        return True


@pytest.mark.parametrize("path", [path for path in LOGS if "cookbook" not in path.name and "gui" not in path.name], ids=name)
def test_the_same_play_written_by_us_is_the_engines_log_to_the_letter(path: Path) -> None:
    log = read_log(path)
    again = Again(log, read_module(module_of(path)))
    for step in log.steps:
        again.do(step)
        ours, theirs = again.writer._steps[-1], step.tokens
        if "sample" in path.parts and step.number in (14, 28):
            # The 3.7 trail of a 3.8 trait is one field shorter, and one that was undone begins otherwise: shapes still agree.
            assert [(depth, text[:8]) for depth, text in ours] == [(depth, text[:8]) for depth, text in theirs]
        else:
            assert list(ours) == list(theirs)
    if "sample" in path.parts:
        assert len(again.skipped) <= 11
    else:
        assert len(again.skipped) <= 1
        assert again.writer.log().text == log.text
    assert again.writer.steps == len(log.steps)


def test_a_written_log_is_read_and_replayed(tmp_path: Path) -> None:
    module = read_module(CLUB)
    players = [cmd.Player("pw-a", "Ann", "Soviet"), cmd.Player("pw-b", "Ben", "Western Allied")]
    writer = LogWriter(new_game(module, players=players), module, players[0])
    ids = {piece.name: piece.id for piece in writer.start.pieces.values()}
    writer.chat("a < b & c")
    writer.next_phase()
    writer.move_to([ids["8 Gds 7-7-4"], ids["1 Gds Tk 6-4-6"]], "2626")
    writer.roll("d6", [4])
    writer.act_as(players[1])
    writer.send(ids["8 Krps 2-3-4"], say="out")
    writer.delete(ids["4 (US) 4-8-6"])
    writer.undo()
    writer.talk("RT1|1|ATT|x|0101", 1)
    path = tmp_path / "game.vlog"
    data = write_log(path, writer.log())
    assert path.read_bytes() == data
    log = read_log(path)
    assert len(log.steps) == writer.steps == 8
    game = Game().run(log.start.commands)
    for step in log.steps:
        game.run(step.commands)
    here = {piece_id: live.place for piece_id, live in game.pieces.items()}
    assert here == {piece_id: live.place for piece_id, live in writer.game.pieces.items()}
    europe = module.map("Europe")
    assert europe is not None
    assert europe.location_name(*here[ids["8 Gds 7-7-4"]][1:]) == "2626"
    assert europe.location_name(*here[ids["8 Krps 2-3-4"]][1:]) == "Destroyed East Germans"
    assert ids["4 (US) 4-8-6"] in here
    assert log.steps[0].commands == (cmd.Chat("&lt;Ann&gt; - a &lt; b & c"),)


def test_the_same_play_gives_the_same_bytes() -> None:
    def play() -> bytes:
        module = read_module(CLUB)
        player = cmd.Player("pw", "Ann", "Soviet")
        writer = LogWriter(new_game(module, players=[player]), module, player)
        writer.move([next(iter(writer.game.pieces))], 500, 500)
        return write_log(None, writer.log())

    assert play() == play()


def test_what_cannot_be_done_is_said() -> None:
    module = read_module(CLUB)
    player = cmd.Player("pw", "Ann", "Soviet")
    writer = LogWriter(new_game(module, players=[player]), module, player)
    with pytest.raises(ValueError, match="nothing is left to undo"):
        writer.undo()
    with pytest.raises(KeyError, match="has no place 9999"):
        writer.move_to([next(iter(writer.game.pieces))], "9999")
    with pytest.raises(KeyError):
        writer.delete("none")
    with pytest.raises(FormatError, match="has the deck Events"):
        new_game(read_module(SAMPLE / "sample.vmod"))


def test_a_new_game_is_the_engines_new_game() -> None:
    ours = new_game(read_module(CLUB))
    theirs = read_save(SAMPLES / "06-live-turn1.vlog")

    def pieces(save: SaveFile) -> list[tuple[str, str, str]]:
        return sorted((p.name, p.type, p.state.replace(p.id, "ID")) for p in save.pieces.values())

    def stacks(save: SaveFile) -> list[tuple[str, int, int, list[str], int]]:
        return sorted((s.map, s.x, s.y, [save.pieces[m].name for m in s.members], s.layer) for s in save.stacks.values())

    assert pieces(ours) == pieces(theirs) and stacks(ours) == stacks(theirs)
    assert (ours.turns, ours.properties, ours.boards, ours.setup_placed) == (theirs.turns, theirs.properties, theirs.boards, True)
    assert ours.players == () and not ours.text.count("PLAYER")


def test_a_predefined_setup_is_read_out_of_its_module() -> None:
    assert predefined(SAMPLE / "sample.vmod", "campaign.vsav").pieces.keys() == read_save(SAMPLE / "campaign.vsav").pieces.keys()
    with pytest.raises(FormatError, match=r"holds no entry none\.vsav"):
        predefined(SAMPLE / "sample.vmod", "none.vsav")


def test_a_save_of_our_own_is_read_back(tmp_path: Path) -> None:
    theirs = read_save(SAMPLE / "campaign.vsav")
    tokens = save_tokens(
        theirs.pieces.values(),
        theirs.stacks.values(),
        theirs.decks.values(),
        players=theirs.players,
        properties=[cmd.PropertyValue(n, v, c) for (c, n), v in theirs.properties.items()],
        turns=[cmd.Turn(t, s) for t, s in theirs.turns.items()],
        boards=[cmd.Boards(m, b) for m, b in theirs.boards.items()],
    )
    ours = SaveFile("x", tokens, metadata=Metadata("1.2", "3.7.26", "0"), module=theirs.module)
    path = tmp_path / "x.vsav"
    assert write_save(path, ours) == path.read_bytes() == write_save(None, ours)
    again = read_save(path)
    assert (again.pieces, again.stacks, again.decks) == (theirs.pieces, theirs.stacks, theirs.decks)
    assert (again.properties, again.turns, again.boards, again.module) == (theirs.properties, theirs.turns, theirs.boards, theirs.module)
    assert again.metadata == ours.metadata


def test_properties_stand_in_the_order_of_javas_hash_map() -> None:
    assert java_hash("") == 0 and java_hash("a") == 97
    for path in LOGS:
        for step in read_log(path).steps:
            for command in step.commands:
                if isinstance(command, cmd.ChangePiece) and "OldMap" in command.new and "ClickedX" not in command.new:
                    words = command.new.rpartition("\t")[2].split(";")[5:]
                    props = list(zip(words[::2], words[1::2], strict=False))
                    assert list(hash_order(props)) == props

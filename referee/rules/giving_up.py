"""Who gives the game up in chat. Pure.

A line is read by its parts, not by its wording: a verb of giving up in the first person (or behind the name of the speaker's own side), the
word that belongs to it ("give ... up", "gebe ... auf", "me rends"), nothing that denies it, makes it depend on something or asks it, and
nothing else that is given up: whoever gives up an attack or a city has not lost the game. The words of a ``Tongue`` are data; a language
that has none is not read.

Words bind only with the table (as all chat does): a game has ended where nothing is done any more behind them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from referee.rules.chat import words
from referee.rules.events import TableEvent


class GivesUp(Enum):
    """What a line says of giving the game up."""

    NOTHING = "nothing"
    DENIED = "denied"
    """Its player says that he does not."""
    PERHAPS = "perhaps"
    """Such a word, and something beside it that may be what is given up, or nobody who says it of himself."""
    SURELY = "surely"


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language's words of giving up, as ``chat.words`` has them: lower case, no accents."""

    verbs: dict[str, str]
    """Verb, in the forms of the first person and of a side, -> the words one of which belongs to it, by comma; "" = it stands alone."""
    bare: frozenset[str] = frozenset()
    """Verbs that are an order, too: without who says it of himself they may be meant for the other."""
    me: frozenset[str] = frozenset()
    you: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()
    depends: frozenset[str] = frozenset()
    """Words that make what is said hang on something, or no more than a thought."""
    beside: frozenset[str] = frozenset()
    """What may stand beside it without being what is given up: the game itself, and small words."""

    def knows(self, word: str) -> bool:
        """Whether it has a word."""
        return word in self.verbs or any(word in some for some in (self.me, self.you, self.no, self.depends, self.beside))


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _verbs(text: str) -> dict[str, str]:
    return {verb: needs for entry in text.split() for verb, _, needs in (entry.partition("+"),)}


TONGUES: Final = (
    Tongue(
        verbs=_verbs(
            "concede concedes conceding conceded resign resigns resigning surrender surrenders surrendering capitulate capitulates "
            "capitulating forfeit forfeits give+up,in gives+up,in giving+up,in throw+towel throwing+towel"
        ),
        bare=_set("concede resign surrender capitulate forfeit give throw"),
        me=_set("i we"),
        you=_set("you u he she they it who your"),
        no=_set("not never no t cannot nor dont wont cant without"),
        depends=_set(
            "if unless when until till before would could should might may maybe perhaps almost nearly d hope think thinking tempted ought "
            "was were nearly suppose guess consider considering"
        ),
        beside=_set(
            "ok okay well then now so and but oh ah yes right gg good game the this that my our all here hereby therefore just have has "
            "had to ve ll m s am are is will want must going at there you thanks thank congratulations congrats played nice great fun "
            "finally really too for a of in up towel sorry match war us me enough guys friend side as player"
        ),
    ),
    Tongue(
        verbs=_verbs(
            "gebe+auf,geschlagen geb+auf,geschlagen geben+auf,geschlagen gibt+auf,geschlagen aufgebe aufgeben kapituliere kapitulieren "
            "kapituliert ergebe+mich ergeben+uns,sich ergibt+sich strecke+waffen strecken+waffen"
        ),
        bare=_set("aufgeben kapitulieren"),
        me=_set("ich wir"),
        you=_set("du ihr er sie es man"),
        no=_set("nicht nie niemals kein keine keinen keinesfalls ohne noch"),
        depends=_set("wenn falls sobald ob wurde wurden konnte konnten sollte sollten vielleicht fast beinahe bevor bis hatte ehe denke"),
        beside=_set(
            "ok okay na gut ja gg und dann also so hiermit damit jetzt nun das die der den spiel partie krieg mich uns sich auf geschlagen "
            "waffen schones gutes tolles danke gluckwunsch dir es hier da mal doch muss will werde mochte wir ich glaube seite als"
        ),
    ),
    Tongue(
        verbs=_verbs(
            "poddaje+sie,partie,gre poddajemy+sie,partie,gre poddaja+sie,partie,gre poddam+sie,partie,gre rezygnuje rezygnujemy rezygnuja "
            "kapituluje kapitulujemy kapituluja"
        ),
        me=_set("ja my"),
        you=_set("ty wy on ona oni pan"),
        no=_set("nie nigdy bez"),
        depends=_set("jesli jezeli gdyby gdy jak chyba moze moglbym prawie zanim czy"),
        beside=_set("ok no dobra dobrze to i a juz teraz wiec sie partie gre z gry wojne gratulacje gratuluje dzieki za gg tu"),
    ),
    Tongue(
        verbs=_verbs(
            "abandonne abandonnons abandonnent capitule capitulons capitulent concede concedons concedent rends+me,m rendons+nous "
            "rendent+se rend+se jette+eponge"
        ),
        me=_set("je j nous"),
        you=_set("tu vous il elle ils elles on"),
        no=_set("ne n pas jamais sans"),
        depends=_set("si quand peut etre pourrais devrais voudrais serait presque avant"),
        beside=_set(
            "ok bon bien alors et la le l partie guerre jeu ici maintenant me m nous bravo merci felicitations donc oui gg "
            "eponge se"
        ),
    ),
    Tongue(
        verbs=_verbs("rindo+me rendimos+nos rendo+me,mi abandono abandonamos concedo concedemos desisto desistimos capitulo capitulamos"),
        me=_set("yo nosotros eu nos io"),
        you=_set("tu usted el ella ellos voce"),
        no=_set("no nunca nao jamas non mai sin sem"),
        depends=_set("cuando quando quiza quizas tal vez podria deberia casi antes talvez quase se"),
        beside=_set(
            "ok bueno bien pues entonces y e me mi nos ya aqui ahora la el o a partida juego jogo guerra gracias felicidades si gg"
        ),
    ),
    Tongue(
        verbs=_verbs("arrendo+mi arrendiamo+ci abbandono abbandoniamo capitolo capitoliamo concedo"),
        me=_set("io noi"),
        you=_set("tu voi lui lei loro"),
        no=_set("non mai senza"),
        depends=_set("se quando forse potrei dovrei quasi prima"),
        beside=_set("ok bene allora e mi ci qui ora la il partita gioco guerra grazie complimenti si gg"),
    ),
    Tongue(
        verbs=_verbs("geef+op,over geven+op,over geeft+op,over capituleer capituleren"),
        me=_set("ik wij we"),
        you=_set("jij je u hij zij jullie"),
        no=_set("niet nooit geen zonder"),
        depends=_set("als indien wanneer misschien zou bijna voordat"),
        beside=_set("ok nou goed dan nu en het hier de spel partij me mij ons op over bedankt gefeliciteerd gg ja"),
    ),
    Tongue(
        verbs=_verbs(
            "ger+upp,opp giver+op gir+opp kapitulerar kapitulerer vzdavam+se,to,hru vzdavame+se,to,hru feladom feladjuk сдаюсь сдаемся"
        ),
        me=_set("jag jeg vi ja my en mi я мы"),
        you=_set("du ni han hon de ty te ты вы"),
        no=_set("inte aldrig ikke aldri ne nikdy nem не никогда"),
        depends=_set("om nar hvis kanske kanskje maske kdyby kdyz mozna ha talan если может"),
        beside=_set("ok nu da sa och og det spelet spillet upp opp op tack takk tak to se hru a az jatszmat ну все тогда и я мы gg"),
    ),
)

_VERBS: Final = frozenset(verb for tongue in TONGUES for verb in tongue.verbs)
_ACTS: Final = frozenset(("move", "place", "remove", "flip", "roll", "phase"))
_SENTENCE: Final = re.compile(r"[^.!?;\n]+[.!?;]*")
_CLAUSE: Final = re.compile(r",|:|\s[-–—]+\s|…")


def gives_up(text: str, own: Collection[str] = (), others: Collection[str] = ()) -> GivesUp:
    """What a line of chat says of giving the game up. ``own``: the sides that the speaker plays, ``others``: those of the rest, in any
    spelling; the first make a third person his own, the second somebody else's."""
    if _VERBS.isdisjoint(words(text)):
        return GivesUp.NOTHING
    mine = _of_sides(own)
    theirs = _of_sides(set(others) - set(own))
    found = [_sentence(m.group(), mine, theirs - mine) for m in _SENTENCE.finditer(text)]
    return next((grade for grade in (GivesUp.SURELY, GivesUp.DENIED, GivesUp.PERHAPS) if grade in found), GivesUp.NOTHING)


def _of_sides(names: Collection[str]) -> frozenset[str]:
    said = {word for name in names for word in words(name)}
    return frozenset(said | {f"{word}s" for word in said})


def _sentence(text: str, own: frozenset[str], others: frozenset[str]) -> GivesUp:
    if text.rstrip().endswith("?"):
        return GivesUp.NOTHING
    said = frozenset(words(text))
    spoken = [tongue for tongue in TONGUES if not said.isdisjoint(tongue.verbs)]
    if not spoken:
        return GivesUp.NOTHING
    tongue = max(spoken, key=lambda known: sum(map(known.knows, said)))  # the first on a tie
    found = [_clause(words(clause), tongue, said, own, others) for clause in _CLAUSE.split(text)]
    return next((grade for grade in (GivesUp.SURELY, GivesUp.DENIED, GivesUp.PERHAPS) if grade in found), GivesUp.NOTHING)


def _clause(clause: tuple[str, ...], tongue: Tongue, said: frozenset[str], own: frozenset[str], others: frozenset[str]) -> GivesUp:
    at = next((i for i, word in enumerate(clause) if word in tongue.verbs and _complete(tongue.verbs[word], clause)), -1)
    if at < 0 or said & tongue.depends:
        return GivesUp.NOTHING
    people = tongue.me | tongue.you | own | others
    who = next((word for word in reversed(clause[:at]) if word in people), "")
    who = who or next((word for word in clause[at + 1 : at + 3] if word in people and word not in tongue.beside), "")
    if who in tongue.you or who in others:
        return GivesUp.NOTHING
    if set(clause) & tongue.no:
        return GivesUp.DENIED
    rest = set(clause) - tongue.verbs.keys() - tongue.beside - tongue.me - own
    if rest or (not who and clause[at] in tongue.bare):
        return GivesUp.PERHAPS
    return GivesUp.SURELY


def _complete(needs: str, clause: tuple[str, ...]) -> bool:
    return not needs or any(word in clause for word in needs.split(","))


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A player's word that he gives up, the last that he gave."""

    step: int
    player: str
    seat: str
    surely: bool
    played_on: bool
    """Something was done on the table after it."""


def given_up(events: Iterable[TableEvent], sides_of: Callable[[str], Collection[str]], sides: Collection[str]) -> list[GivenUp]:
    """Who gave up in the chat of a log, one entry a player at most, in the order of the log; who denied it later has not.

    ``sides_of``: the names of the sides that a seat in the client plays, none for one that plays no side; ``sides``: the names of all.
    """
    found: dict[str, GivenUp] = {}
    for e in events:
        if e.kind != "chat":
            if found and e.kind in _ACTS and not e.undone:
                found = {who: replace(g, played_on=True) for who, g in found.items()}
        elif e.player and not e.undone and (own := sides_of(e.seat)):
            grade = gives_up(e.text, own, sides)
            if grade is GivesUp.DENIED:
                found.pop(e.player, None)
            elif grade is GivesUp.SURELY or (grade is GivesUp.PERHAPS and not (e.player in found and found[e.player].surely)):
                found.pop(e.player, None)
                found[e.player] = GivenUp(e.step, e.player, e.seat, grade is GivesUp.SURELY, False)
    return list(found.values())

"""Resource points as their markers show them: what was paid (5.7), and what came in (5.2, 5.4, 5.6)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.overlord_to_berlin.land import AXIS, SOVIET, WEST
from referee.games.overlord_to_berlin.position import alter
from referee.games.overlord_to_berlin.reading_search import Search
from referee.games.overlord_to_berlin.reading_table import PR, Act
from referee.games.overlord_to_berlin.showing import TRACK_ENDS
from referee.games.overlord_to_berlin.terms import TRACKS, TRACKS_OF
from referee.rules.model import Verdict
from referee.rules.reading import Ruled, Stint


class Points(Search):
    """Holds the markers of the tracks against what was read."""

    def _points(self) -> None:
        """5.7: what was paid, against the markers on their tracks, at the end of a step in which points are spent."""
        q = self._windows_closed()
        tracks = TRACKS_OF[self.step_of(self.phase).side]
        if not self.tracks_used or self.p.result or any(track not in self.facts.points for track in tracks):
            return
        shown = [self.facts.points[track] for track in tracks]
        read = [q.pr[track] % (TRACK_ENDS[track] + 1) for track in tracks]
        if shown == read:
            return
        if sum(shown) != sum(read):
            names = " and ".join(f"{TRACKS[track]} {now}, as read {was}" for track, now, was in zip(tracks, shown, read, strict=True))
            last = self.found[-1].step if self.found else 0
            asked = self.unclear(f"what was paid? The markers show {names}", "5.7")
            self.add(asked, "points", self.step_of(self.phase).side, Act(PR, last))
        self.guessed = True
        points = tuple(dict(zip(tracks, shown, strict=True)).get(track, value) for track, value in enumerate(self.p.pr))
        if q is self.p:
            self.p = alter(self.p, pr=points)

    def _income(self, found: Sequence[Act], stint: Stint) -> None:
        """5.2, 5.4, 5.6: a marker that was moved for the income of a side and shows more than that makes. Nothing can be paid before; who
        takes less is asked when points are spent."""
        phases, side = self.g.terms.phases, self.step_of(stint.phase).side
        if not stint.phase < self.p.phase or self.p.turn != stint.turn or phases[self.p.phase].step not in ("income", "bombardment"):
            return
        until = "bombardment" if side == AXIS else "spending"
        later: list[Act] = []
        for following, list_ in self.coming:
            if following.turn != stint.turn or phases[following.phase].step == until:
                break
            later += list_
        for track in TRACKS_OF[side]:
            moved = [a for a in found if a.kind == PR and int(a.words[0]) == track]
            shown = [a for a in (*moved, *later) if a.kind == PR and int(a.words[0]) == track]
            due = self.p.pr[track] % (TRACK_ENDS[track] + 1)
            if not moved or shown[-1].value <= due:
                continue
            said = f"the marker of {TRACKS[track]} shows {shown[-1].value}, and the income makes it {due}"
            para = {WEST: "5.4.f", SOVIET: "5.6.a", AXIS: "5.2.a"}[side]
            ruled = self._as_far_as_told(Ruled(Verdict.ILLEGAL, (para,), (), said, frozenset(("income",))), side)
            self.add(ruled, "points", side, shown[-1])
            self.p = alter(self.p, pr=tuple(shown[-1].value if n == track else value for n, value in enumerate(self.p.pr)))
            self.broken = True

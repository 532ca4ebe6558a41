"""The stages of a ladder: what its log has said of them, and which one is on."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.records.difference import malformed
from arena.records.entries import Form, Stage, StageEnded
from arena.wording import brief, counted


class EndedStage(Form, frozen=True, kw_only=True):
    """A stage that has ended, and the number of the first block after it."""

    block: int
    games: int
    """The games of the log up to there."""
    entry: StageEnded


class StagesState(Form, frozen=True, kw_only=True):
    """All of the stages of a log, so that they can be saved."""

    listed: tuple[Stage, ...] = ()
    ended: tuple[EndedStage, ...] = ()


class Stages:
    """The stages that a log has listed, and the ends of those that are over."""

    def __init__(self, state: StagesState | None = None) -> None:
        self.listed = state.listed if state else ()
        """All stages in their order; none, if the ladder has none."""
        self.ended: list[EndedStage] = list(state.ended) if state else []

    def state(self) -> StagesState:
        """Return all state."""
        return StagesState(listed=self.listed, ended=tuple(self.ended))

    @property
    def number(self) -> int:
        """The number of the stage that is on; after the last, how many there were."""
        return len(self.ended)

    @property
    def current(self) -> Stage | None:
        """The stage that is on, if there is one."""
        return self.listed[self.number] if self.number < len(self.listed) else None

    @property
    def next(self) -> Stage | None:
        """The stage after the one that is on, if there is one."""
        after = self.number + 1
        return self.listed[after] if after < len(self.listed) else None

    @property
    def over(self) -> bool:
        """Whether the last stage has ended."""
        return bool(self.listed) and self.number == len(self.listed)

    @property
    def began(self) -> int:
        """The number of the first block of the stage that is on."""
        return self.ended[-1].block if self.ended else 0

    def of(self, block: int) -> int | None:
        """Return the number of the stage of a block; None if there are no stages."""
        if not self.listed:
            return None
        return sum(each.block <= block for each in self.ended)

    def tables(self, sizes: Sequence[int]) -> tuple[int, ...]:
        """Return the tables of the stage that is on, of those of the ladder."""
        return stage_tables(self.current, sizes)

    def list(self, stages: Sequence[Stage], sizes: Sequence[int], block: int) -> None:
        """Follow a list of all stages before this block; raise `Difference` if there cannot be."""
        if self.over:
            raise malformed("stages", "a list", "none, as the last stage has ended")
        before = self.listed[: self.number]
        if tuple(stages[: self.number]) != before:
            wanted = "those that have ended as they were, and then the others"
            raise malformed("stages", brief([stage.name for stage in stages]), wanted)
        if before and len(stages) == len(before):
            raise malformed("stages", counted(len(stages), "stage"), "one more, which is on")
        if block and not self.listed and stages and stages[0].tables:
            wanted = "none in the first stage of a ladder that was played without stages"
            raise malformed("stages[0].tables", brief(list(stages[0].tables)), wanted)
        on = self.current
        if block and on is not None and (not stages or not _same_field(on, stages[self.number])):
            wanted = f"{on.name}, with the field and the tables that it has"
            raise malformed(f"stages[{self.number}]", "another stage", wanted)
        names = [stage.name for stage in stages]
        for at, stage in enumerate(stages):
            place = f"stages[{at}]"
            if stage.name in names[:at]:
                raise malformed(f"{place}.name", brief(stage.name), "each name once")
            if (stage.best is None) is bool(at):
                says = "nothing" if stage.best is None else str(stage.best)
                wanted = "how many play on" if at else "no number in the first stage"
                raise malformed(f"{place}.best", says, wanted)
            _check_stage(place, stage, sizes)
            if stage.allowed and not at:
                raise malformed(f"{place}.allowed", "true", "false in the first stage")
            if stage.prizes is not None and at + 1 < len(stages):
                raise malformed(f"{place}.prizes", str(stage.prizes), "none but in the last stage")
        self.listed = tuple(stages)

    def end(self, entry: StageEnded, playing: Collection[int], block: int, games: int) -> None:
        """Follow the end of a stage; raise `Difference` if it cannot end like this."""
        if self.current is None:
            raise malformed("entry", "stage", "no end of a stage, as none is on")
        if entry.stage != self.number:
            raise malformed("stage", str(entry.stage), f"{self.number}, which is on")
        if block == self.began and entry.reason != "few":
            raise malformed("entry", "stage", "a block of the stage before its end")
        placed = [number for place in entry.places for number in place]
        if sorted(placed) != sorted(playing):
            raise malformed("places", brief(list(entry.places)), "each once, of those who play")
        chosen = entry.qualified
        if list(chosen) != sorted(set(chosen)) or not set(chosen) <= set(placed):
            wanted = "each once, of those who play, in ascending order"
            raise malformed("qualified", brief(list(chosen)), wanted)
        if (self.next is None) is bool(chosen):
            wanted = "nobody after the last stage" if chosen else "who plays in the next stage"
            raise malformed("qualified", brief(list(chosen)), wanted)
        self.ended.append(EndedStage(block=block, games=games, entry=entry))


def stage_tables(stage: Stage | None, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the tables of a stage, of those of its ladder."""
    return tuple(sizes) if stage is None or not stage.tables else stage.tables


def _same_field(before: Stage, now: Stage) -> bool:
    """Whether a stage that has begun has kept what cannot change then."""
    keys = ("name", "best", "allowed", "tables")
    return all(getattr(before, key) == getattr(now, key) for key in keys)


def _check_stage(place: str, stage: Stage, sizes: Sequence[int]) -> None:
    tables = stage_tables(stage, sizes)
    listed = ", ".join(map(str, sizes))
    if list(tables) != sorted(set(tables)) or not set(tables) <= set(sizes):
        raise malformed(f"{place}.tables", brief(list(tables)), f"some of {listed}, in order")
    budget = stage.budget
    if budget.minutes is not None:
        raise malformed(f"{place}.budget.minutes", f"{budget.minutes:g}", "no such key in a stage")
    if all(each is None for each in (budget.games, budget.each, budget.each_at)):
        raise malformed(f"{place}.budget", "no games", "games, each or each_at, to end at")
    if budget.quota is not None and set(budget.quota) != set(tables):
        says = ", ".join(map(str, budget.quota)) or "no size"
        wanted = f"all of {', '.join(map(str, tables))}"
        raise malformed(f"{place}.budget.each_at", f"tables of {says}", wanted)
    if stage.best is not None and stage.best < max(tables):
        wanted = f"{max(tables)} at least, for its largest table"
        raise malformed(f"{place}.best", str(stage.best), wanted)
    if len(set(stage.order)) < len(stage.order):
        raise malformed(f"{place}.order", brief(list(stage.order)), "each figure once")

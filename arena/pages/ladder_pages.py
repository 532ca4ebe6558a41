"""The pages of a ladder, as text: data and links go in, and no page knows where it will lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from arena.ladder.standings import Row
from arena.pages.axis import Axis, tick_name
from arena.pages.history_chart import HistoryChart
from arena.pages.ladder_data import (
    BotPage,
    GamesPage,
    LadderHead,
    News,
    PairsPage,
    StandingsPage,
    TablesPage,
    TrustPage,
)
from arena.pages.links import Links
from arena.pages.templates import asset, policy, rendered
from arena.records.verdicts import FINISHED, MEANINGS

Here: TypeAlias = Literal["standings", "pairs", "tables", "games", "trust", ""]
"""Which of the pages that every page leads to a page is."""


@dataclass(frozen=True)
class Order:
    """An order of the standings: its name, its column, and which end comes first."""

    key: str
    title: str
    sort: Literal["ascending", "descending"]


ORDERS: Final = (
    Order("rank", "Rank", "ascending"),
    Order("bot", "Bot", "ascending"),
    Order("skill", "Skill", "descending"),
    Order("place", "Place", "ascending"),
    Order("share", "Share", "descending"),
    Order("games", "Games", "descending"),
    Order("faults", "Faults", "descending"),
    Order("time", "ms", "ascending"),
)


@dataclass(frozen=True)
class LadderPages:
    """Makes the pages of one ladder; the links are those of the page that is made."""

    head: LadderHead

    def standings(self, data: StandingsPage, order: Order, links: Links) -> str:
        """Return the standings in an order, with who leads and what is new."""
        rows = data.overview.standings
        timed = any(row.slowest_ms for row in rows)
        return self._page(
            "standings.html",
            "" if order.key == "rank" else f"Standings by {order.title.lower()}",
            "standings",
            links,
            data=data,
            rows=sorted(rows, key=lambda row: _sort_key(row, order.key)),
            order=order,
            orders=[each for each in ORDERS if each.key != "time" or timed],
            timed=timed,
            axis=Axis.of((row.skill_low, row.skill_high) for row in rows if row.games),
        )

    def pairs(self, data: PairsPage, links: Links) -> str:
        """Return who beats whom as a matrix."""
        return self._page("pairs.html", "Who beats whom", "pairs", links, data=data)

    def tables(self, data: TablesPage, links: Links) -> str:
        """Return the results by table size and by seat."""
        return self._page(
            "tables.html",
            "By table and seat",
            "tables",
            links,
            data=data,
            sizes=sorted({row.table for row in data.by_table}),
            axis=Axis.of((row.skill_low, row.skill_high) for row in data.by_table),
            seats={(row.digest, row.table, row.seat): row for row in data.by_seat},
        )

    def bot(self, data: BotPage, links: Links) -> str:
        """Return the page of a bot."""
        drawn = [(data.row.skill_low, data.row.skill_high)]
        drawn += [(each.skill_low, each.skill_high) for each in data.by_table]
        gaps = [(each.difference_low, each.difference_high) for each in data.opponents]
        return self._page(
            "bot.html",
            data.version.name,
            "",
            links,
            data=data,
            axis=Axis.of(drawn),
            gaps=Axis.of(gaps),
            seats={(row.table, row.seat): row for row in data.by_seat},
            chart=HistoryChart.of(data.history),
        )

    def games(self, data: GamesPage, links: Links) -> str:
        """Return a list of games: of the newest ones with filters, or of older ones."""
        newest = data.page is None
        title = "Games" if newest else f"Games {data.games[-1].number} to {data.games[0].number}"
        script = asset("games.js" if newest else "tell.js")
        verdicts = [verdict for verdict in MEANINGS if verdict != FINISHED]
        return self._page("games.html", title, "games", links, script, data=data, verdicts=verdicts)

    def trust(self, data: TrustPage, links: Links) -> str:
        """Return the terms, what can be downloaded, and what verification says."""
        return self._page("trust.html", "Terms and trust", "trust", links, data=data)

    def feed(self, news: Sequence[News], key: str, written: datetime, links: Links) -> str:
        """Return the news as an Atom feed; the key names it among all feeds."""
        return rendered(
            "feed.xml", head=self.head, news=news, key=key, written=written, links=links
        )

    def _page(
        self,
        template: str,
        title: str,
        here: Here,
        links: Links,
        script: str = "",
        **inside: object,
    ) -> str:
        style = asset("common.css") + asset("ladder.css")
        return rendered(
            template,
            head=self.head,
            title=title,
            here=here,
            links=links,
            style=style,
            script=script,
            policy=policy(style=style, script=script, frames=bool(script)),
            tick_name=tick_name,
            **inside,
        )


def _sort_key(row: Row, key: str) -> float | str:
    """Return by what a row is sorted; equals stay in the order of the standings."""
    values: dict[str, float | str] = {
        "rank": 0,
        "bot": row.bot,
        "skill": -row.skill,
        "place": row.mean_place,
        "share": -row.share,
        "games": -row.games,
        "faults": -sum(row.faults.values()),
        "time": row.ms_per_decision or 0.0,
    }
    return values[key]

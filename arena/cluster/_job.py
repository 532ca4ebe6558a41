"""What machines are told of a run: its terms and its programs, and nothing of the ladder."""

from __future__ import annotations

from secrets import token_hex

from arena.blocks.runner import Cluster, Venue
from arena.cluster import _messages as messages
from arena.cluster._parcels import described
from arena.records.entries import Contest
from arena.referee.terms import Terms

NAME = "cluster"
"""The name of the contest that machines are told; that of the ladder is nobody's business."""


def contest_of(terms: Terms) -> Contest:
    """Return the terms as machines are told of them."""
    return Contest(
        name=NAME,
        game=terms.game.name,
        version=terms.game.version,
        rules=terms.rules,
        tables=tuple(terms.game.players),
        time=terms.control,
        limits=terms.limits.as_map(),
        sandbox=terms.sandbox.name,
        suspend=terms.suspend,
        fresh=terms.fresh,
    )


def job_of(venue: Venue, cluster: Cluster) -> messages.Job:
    """Return what machines are told of a run."""
    registered = {(spec.run, spec.folder) for spec in cluster.registered}
    programs = tuple(
        described(
            spec,
            identity,
            registered=(spec.run, spec.folder) in registered,
            built=cluster.host_builds and bool(spec.build),
        )
        for identity, spec in venue.bots.items()
    )
    return messages.Job(id=token_hex(8), contest=contest_of(venue.terms), programs=programs)

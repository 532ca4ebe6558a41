"""The reckoning after a trial of a site: what its authors were told against what its logs have."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .authors import ANYBODY, OPEN, Author, Handed, Week
from .hostile import ON_IT
from .ordering import Ordered


@dataclass
class LogFacts:
    """What the published log of a ladder says, read by its lines alone."""

    contestants: list[dict[str, str]] = field(default_factory=list)
    entered: Counter[str] = field(default_factory=Counter)
    """How often each bot has entered, by digest."""
    playing: set[str] = field(default_factory=set)
    blocks: int = 0
    games: int = 0
    annulled: int = 0
    set_aside: int = 0
    """By the rule of the ladder."""
    stages: list[str] = field(default_factory=list)
    """How each has ended."""
    reasons: Counter[str] = field(default_factory=Counter)
    """The reasons of all entries that somebody has wished for."""
    closed: str = ""

    @classmethod
    def read(cls, path: Path) -> LogFacts:
        """Return what a log has."""
        found = cls()
        with path.open("rb") as file:
            for line in file:
                found._follow(json.loads(line))
        return found

    def _follow(self, entry: Mapping[str, Any]) -> None:
        digests = [each["digest"] for each in self.contestants]
        match entry["entry"]:
            case "enter":
                for each in entry.get("leave", ()):
                    self.playing.discard(digests[each["contestant"]])
                    self.set_aside += each.get("kind") == "set-aside"
                    self.reasons[each.get("reason", "")] += 1
                for bot in entry.get("contestants", ()):
                    if bot["digest"] not in digests:
                        self.contestants.append(bot)
                        digests.append(bot["digest"])
                    self.entered[bot["digest"]] += 1
                    self.playing.add(bot["digest"])
            case "block":
                self.blocks += 1
                self.games += len(entry["games"])
            case "annul":
                self.annulled += len(entry["blocks"])
                self.reasons[entry["reason"]] += 1
            case "stage":
                self.stages.append(entry["reason"])
                if entry.get("qualified"):
                    self.playing &= {digests[number] for number in entry["qualified"]}
            case "change":
                self.reasons[entry.get("reason", "")] += 1
            case "close":
                self.closed = entry["reason"]


def settle_wishes(week: Week, ordered: Sequence[Ordered], logs: Mapping[str, LogFacts]) -> None:
    """Say which wishes of the host are not in the log once, if granted, or are, if refused."""
    for each in ordered:
        if each.reason and each.ladder in logs:
            reasons = logs[each.ladder].reasons
            times = sum(count for reason, count in reasons.items() if each.reason in reason)
            if times != (each.state == "granted"):
                week.seen.say(f"{each.wish}, {each.state}: {times} times in the log")


def settle(week: Week, authors: Sequence[Author], logs: Mapping[str, LogFacts]) -> None:
    """Compare all that authors were told with the logs, and say what does not fit."""
    found: dict[int, dict[str, Any]] = {}
    for author in authors:
        listed = author.person.call("GET", "/submissions", author.token).json["submissions"]
        own = {each["number"]: each for each in listed}
        acknowledged = {
            each.number for each in week.handed if each.author == author.name and each.number
        }
        for number in sorted(acknowledged ^ set(own)):
            which = "was acknowledged, and is gone" if number in acknowledged else "was not told of"
            week.seen.say(f"{author.name}: submission {number} {which}")
        found |= own
        if author.command:
            shown = week.command(author, "remote", "submissions", "--json").json
            if {each["number"]: each["state"] for each in shown} != {
                number: each["state"] for number, each in own.items()
            }:
                week.seen.say(f"{author.name}: arena remote shows other submissions")
        for match in author.person.call("GET", "/matches", author.token).json["matches"]:
            if match["open"] or (match["state"] == "failed" and not match["reason"]):
                week.seen.say(f"{author.name}: match {match['number']} is {match['words']}")
    week.passed = {each["digest"] for each in found.values()}
    for handed in week.handed:
        if handed.number in found:
            form = found[handed.number]
            handed.state, handed.reason = form["state"], form["reason"]
        if wrong := _misfit(handed):
            week.seen.say(wrong)
    _compare(week, found.values(), logs)
    entered = {each["name"] for log in logs.values() for each in log.contestants}
    for token, where in week.seen.tokens.items():
        if not any(token in name for name in entered):
            week.seen.say(f"the name of a bot that never entered was seen: {token}, {where}")


def _misfit(handed: Handed) -> str:
    """Return what became of a submission that should not have; "" if all is well."""
    what = f"{handed.author}: {handed.kind} on {handed.ladder} by {handed.way}"
    if not handed.number:
        refused = not handed.hopes.states and re.search(handed.hopes.words, handed.refusal)
        usual = re.search("takes no more bots|you are handing in already", handed.refusal)
        return "" if refused or usual else f"{what}: refused: {handed.refusal or 'no word'}"
    what += f", submission {handed.number}: {handed.state}: {handed.reason or 'no word'}"
    if handed.state in OPEN:
        return f"{what}: still open"
    if handed.state == "ready":
        return "" if handed.trial else what
    if not handed.reason:
        return what
    if handed.state == "withdrawn" or (handed.trial and handed.state in ON_IT):
        return ""
    if handed.hopes.fits(handed.state, handed.reason):
        return ""
    return "" if handed.state == "failed" and ANYBODY.search(handed.reason) else what


def _compare(
    week: Week, submissions: Iterable[Mapping[str, Any]], logs: Mapping[str, LogFacts]
) -> None:
    """Compare the states of all submissions with who entered and who plays, by the logs."""
    wanted: dict[str, Counter[str]] = {ladder: Counter() for ladder in logs}
    playing: dict[str, Counter[str]] = {ladder: Counter() for ladder in logs}
    for each in submissions:
        if each["state"] in ON_IT:
            wanted[each["ladder"]][each["digest"]] += 1
        if each["state"] == "playing":
            playing[each["ladder"]][each["digest"]] += 1
    for ladder, log in logs.items():
        own = log.contestants[: len(week.bundled)]
        if [each["name"] for each in own] != week.bundled:
            week.seen.say(f"{ladder}: the log begins with {[each['name'] for each in own]}")
        host = {each["digest"] for each in own}
        entered = Counter({key: count for key, count in log.entered.items() if key not in host})
        for digest in sorted(set(entered) | set(wanted[ladder])):
            if entered[digest] != wanted[ladder][digest]:
                week.seen.say(
                    f"{ladder}: {digest[:12]} has entered {entered[digest]} times, and "
                    f"{wanted[ladder][digest]} submissions say so"
                )
        if Counter(log.playing - host) != playing[ladder]:
            other = sorted(set(playing[ladder]) ^ (log.playing - host))
            week.seen.say(f"{ladder}: who plays is not who is said to play: {other}")

"""Pages of a site that is served, each as somebody sees it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from .served import Served, Visitor

Form: TypeAlias = Mapping[str, str | Sequence[str]]


@dataclass(frozen=True)
class Shown:
    """A page as somebody sees it; with a form, what comes when it is sent."""

    name: str
    path: str
    who: str = "stranger"
    form: Form | None = None


@dataclass
class Filled:
    """A site that is served, who may sign in, and its pages."""

    served: Served
    sessions: Mapping[str, str]
    """The secrets of sessions, by who has them."""
    pages: list[Shown] = field(default_factory=list)

    def visitor(self, who: str) -> Visitor:
        """Return somebody who is signed in."""
        found = self.served.visitor()
        found.cookies["session"] = self.sessions[who]
        return found

    def cookies(self, who: str) -> list[dict[str, str]]:
        """Return what the browser of somebody keeps; nothing of a stranger's."""
        if who == "stranger":
            return []
        address = self.served.address
        return [{"name": "session", "value": self.sessions[who], "url": address}]

    def show(self, name: str, path: str, who: str = "stranger", form: Form | None = None) -> None:
        """Add a page."""
        self.pages.append(Shown(name, path.removeprefix(self.served.address), who, form))


def post_script(shown: Shown) -> str:
    """Return the script that sends the form of a page, as a click there would."""
    fields = json.dumps(dict(shown.form or {}))
    return f"""() => {{
        const form = document.createElement("form");
        form.method = "post";
        form.action = {json.dumps(shown.path)};
        const fields = Object.entries({fields});
        for (const [name, value] of fields.flatMap(([n, v]) => [v].flat().map((e) => [n, e]))) {{
            const input = document.createElement("input");
            input.type = "hidden"; input.name = name; input.value = value;
            form.append(input);
        }}
        document.body.append(form);
        form.submit();
    }}"""

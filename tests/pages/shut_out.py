"""What axe-core finds wrong with a page, in one way for all tests of pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playwright.sync_api import Page

SERIOUS: Final = frozenset({"serious", "critical"})
# What is right is neither described nor sent, which takes longer than to look.
_VIOLATIONS: Final = """\
async (exclude) => {
    const found = await axe.run({ exclude }, { resultTypes: ["violations"] });
    if (!found.passes.length) throw new Error("axe-core has looked at nothing");
    return found.violations.map(({ id, impact, nodes }) =>
        [impact, `${id}: ${nodes.slice(0, 3).map((node) => node.html).join(" ")}`]);
}
"""


def shut_out(
    page: Page, impacts: frozenset[str] | None = None, *, exclude: Sequence[str] = ()
) -> list[str]:
    """What shuts people out from a page that has the script of axe-core, with where it is.

    It is all that is found, or what has one of these impacts.
    """
    found = page.evaluate(_VIOLATIONS, list(exclude))
    return [said for impact, said in found if impacts is None or impact in impacts]

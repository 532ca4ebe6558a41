"""`arena sandbox`: check that the sandbox holds on this host."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from arena.cli.arguments import find_game, plugins
from arena.cli.output import print_json, say
from arena.sandbox.sandbox import AUTO, NONE, Sandbox, SandboxError

if TYPE_CHECKING:
    from arena.attacks.trial import Finding

REMEDY = (
    "stands only with control groups: run as root, or below a group that is yours, as "
    "`systemd-run --user --scope -p Delegate=yes arena sandbox check` makes one"
)


@click.group()
def sandbox() -> None:
    """Check that the sandbox holds on this host."""


@sandbox.command("check")
@click.option(
    "--sandbox",
    "name",
    default=AUTO,
    show_default=True,
    help="The sandbox to attack; auto takes the first one.",
)
@click.option("--attack", "names", multiple=True, metavar="NAME", help="Only this attack.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(name: str, names: tuple[str, ...], *, as_json: bool) -> None:
    """Attack the sandbox from inside, and show which walls hold and which do not.

    Each attack is a bot that plays a game. Its targets are made for it, so nothing of the
    host's own is touched, and its limits are small. Bots are suspended as in rated ladders.
    Exit code 1 if a wall is down.
    """
    from arena.attacks.attack import ATTACKS, GAME  # noqa: PLC0415
    from arena.attacks.trial import attempt_wall  # noqa: PLC0415
    from arena.process.placement import on_one_core  # noqa: PLC0415
    from arena.process.suspension.turn_gate import TurnGate  # noqa: PLC0415 - only used here
    from arena.referee.terms import Terms  # noqa: PLC0415

    known = {attack.name: attack for attack in ATTACKS if attack.possible}
    for wanted in names:
        if wanted not in known:
            raise click.UsageError(
                f"--attack: unknown attack {wanted!r}; those of this user are: {', '.join(known)}"
            )
    walls = _walls(name)
    game = find_game(GAME)
    terms = Terms(game, game.rules({}), sandbox=walls, suspend=True)
    say(f"arena sandbox check: {walls.label}, suspending by {TurnGate().kind}")
    found = []
    with on_one_core() as core:
        for attack in [known[wanted] for wanted in names] or known.values():
            try:
                finding = attempt_wall(attack, terms, core)
            except SandboxError as error:
                raise click.UsageError(f"--sandbox {name}: {error}") from None
            found.append(finding)
            if not as_json:
                _show(finding)
    if as_json:
        print_json([_facts(finding) for finding in found])
    down = sum(not finding.holds for finding in found)
    say(f"arena sandbox check: {len(found) - down} of {len(found)} walls hold")
    if down:
        raise click.exceptions.Exit(1)


def _facts(finding: Finding) -> dict[str, object]:
    return {
        "attack": finding.attack.name,
        "wall": finding.attack.wall,
        "holds": finding.holds,
        "seen": finding.seen,
        "holes": finding.holes,
        "needs_cgroup": finding.attack.needs_cgroup,
        "attempts": finding.attempts,
    }


def _walls(name: str) -> Sandbox:
    """Return the sandbox of this name, untested, as the attacks are the test."""
    sandboxes = {name: walls for name, walls in plugins().sandboxes.items() if name != NONE}
    if name == AUTO:
        name = next((name for name, walls in sandboxes.items() if _is_installed(walls)), name)
    if name == AUTO and sandboxes:
        name = next(iter(sandboxes))  # whose error says what to install
    if name not in sandboxes:
        known = ", ".join((*sandboxes, AUTO))
        raise click.UsageError(f"--sandbox: expected a name of {known}, got {name!r}")
    try:
        sandboxes[name].version  # noqa: B018 - raises an error if its program is missing
    except SandboxError as error:
        raise click.UsageError(f"--sandbox {name}: {error}") from None
    return sandboxes[name]


def _is_installed(sandbox: Sandbox) -> bool:
    try:
        return bool(sandbox.version)
    except SandboxError:
        return False


def _show(finding: Finding) -> None:
    """Print one line for a wall, and one for each further hole."""
    how = "holds" if finding.holds else "DOWN "
    click.echo(f"{how}  {finding.attack.name:15}  {finding.attack.wall}: {finding.seen}")
    for hole in finding.holes[1:]:
        click.echo(f"       {'':15}  {hole}")
    if finding.holes and finding.attack.needs_cgroup:
        click.echo(f"       {'':15}  this wall {REMEDY}")

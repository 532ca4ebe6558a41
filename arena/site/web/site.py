"""All parts of a site that is being served."""

from __future__ import annotations

from dataclasses import dataclass

from arena.site.database.accounts import Accounts, Clock
from arena.site.database.mail_addresses import MailAddresses
from arena.site.database.matches import Matches
from arena.site.database.passkeys import Passkeys
from arena.site.database.submissions import Submissions
from arena.site.folder import SiteFolder
from arena.site.intake.admission import Admission
from arena.site.intake.examiner import Examiner
from arena.site.intake.reception import Reception
from arena.site.matches.booking import Booking
from arena.site.matches.organiser import Organiser
from arena.site.play.door import Door
from arena.site.play.host_wishes import HostWishes
from arena.site.play.known_bots import KnownBots
from arena.site.play.ladders import Ladders
from arena.site.play.press import Press
from arena.site.play.status import StatusDesk
from arena.site.play.supervisor import Supervisor
from arena.site.queue.queue import Queue
from arena.site.rules.places import Places
from arena.site.settings import Settings
from arena.site.starters import Starters
from arena.site.web.boards import Boards
from arena.site.web.finished_games import FinishedGames
from arena.site.web.live_standings import LiveStandings
from arena.site.web.live_submissions import LiveSubmissions
from arena.site.web.mail import Postman


@dataclass(frozen=True)
class Site:
    """All parts of a site that is being served."""

    folder: SiteFolder
    settings: Settings
    clock: Clock
    accounts: Accounts
    passkeys: Passkeys
    mail_addresses: MailAddresses
    submissions: Submissions
    ladders: Ladders
    known_bots: KnownBots
    reception: Reception
    admission: Admission
    examiner: Examiner
    matches: Matches
    booking: Booking
    starters: Starters
    organiser: Organiser
    queue: Queue
    door: Door
    host_wishes: HostWishes
    press: Press
    supervisor: Supervisor
    status: StatusDesk
    postman: Postman | None
    """None if the site sends no mail."""
    boards: Boards
    finished_games: FinishedGames
    live_standings: LiveStandings
    live_submissions: LiveSubmissions
    watching: Places
    """For the streams of ladders, by address."""
    following: Places
    """For the streams of submissions, by person."""
    downloading: Places
    """For logs, by address."""

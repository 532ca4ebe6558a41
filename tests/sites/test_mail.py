"""Links by mail: to whom they go, who learns what, and what a server for mail may do."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import Serve
from .mailboxes import Mailbox
from .served import Served, Visitor

pytestmark = pytest.mark.source_only


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    """A server for mail on this machine, without encryption."""
    box = Mailbox()
    yield box
    box.close()


def link_in(text: str) -> str:
    """Return the link of a letter, without the site."""
    found = re.search(r"http://localhost:\d+(/\S+)", text)
    assert found is not None, text
    return found[1]


def wait_for_line(served: Served, words: str) -> None:
    """Wait until a site has written these words to its log."""
    while words not in served.log:
        assert served.process.poll() is None
        time.sleep(0.05)


def give(box: Mailbox, somebody: Visitor, address: str) -> str:
    """Give an address, and return the link that is sent to it."""
    answer = somebody.post("/account/mail", mail=address)
    assert answer.status == 200
    assert "A link is on its way" in answer.text
    to, text = box.letter()
    assert to == address
    return link_in(text)


def test_an_address_is_kept_once_its_owner_has_opened_the_link(
    serve: Serve, mailbox: Mailbox
) -> None:
    """After that whoever asks for a link to sign in gets one there, and it signs in."""
    served = serve(settings=mailbox.settings)
    host = served.host()
    assert host.post("/account/mail", mail="nonsense").status == 400
    host.post("/account/mail", mail="Host@Example.org")
    to, text = mailbox.letter()
    assert to == "host@example.org"
    link = link_in(text)
    assert "host@example.org" in host.get(link).text  # looking does not use it up
    assert "host@example.org" not in host.get("/account").text
    assert host.post(link).status == 303
    assert "host@example.org" in host.get("/account").text
    assert host.post(link).status == 404
    assert link not in served.log
    assert host.post("/account/mail", mail="").status == 303
    assert "host@example.org" not in host.get("/account").text


def test_a_link_that_signs_in_goes_to_whom_the_address_belongs(
    serve: Serve, mailbox: Mailbox
) -> None:
    """It works once; a second one within a minute is not sent, and neither is one to strangers."""
    served = serve(settings=mailbox.settings)
    author = served.invited(served.host(), "ada")
    assert author.post(give(mailbox, author, "first@example.org")).status == 303
    served.stop()
    served = serve(served.folder)  # an hour later
    asker = served.visitor()
    unknown = asker.post("/sign-in", mail="nobody@example.org")
    known = asker.post("/sign-in", mail="first@example.org")
    again = asker.post("/sign-in", mail="first@example.org")
    assert unknown.text == known.text == again.text
    to, text = mailbox.letter()
    assert to == "first@example.org"
    assert asker.enter(link_in(text)).status == 303
    assert "ada" in asker.get("/account").text
    assert served.visitor().enter(link_in(text)).status == 404
    assert served.stop() == 0
    assert mailbox.is_empty


def test_nobody_takes_the_address_of_another(serve: Serve, mailbox: Mailbox) -> None:
    """Who writes somebody else's address is told nothing of its owner, and gets nothing by it."""
    served = serve(settings=mailbox.settings)
    host = served.host()
    owner, thief = served.invited(host, "owner"), served.invited(host, "thief")
    assert owner.post(give(mailbox, owner, "own@example.org")).status == 303
    served.stop()
    served = serve(served.folder)
    for each in (owner, thief, host):
        each.address = served.address
    free = thief.post("/account/mail", mail="free@example.org")
    to, for_thief = mailbox.letter()
    assert to == "free@example.org"
    taken = host.post("/account/mail", mail="own@example.org")
    to, for_host = mailbox.letter()
    assert to == "own@example.org"  # its owner reads that somebody has asked
    told = taken.text.replace("own@", "free@").replace("hosty", "thief")
    assert re.sub(r"<nav.*?</nav>", "", told, flags=re.DOTALL) == re.sub(
        r"<nav.*?</nav>", "", free.text, flags=re.DOTALL
    )
    # Links are of use to those alone who have asked for them.
    assert thief.post(link_in(for_host)).status == 404
    assert owner.post(link_in(for_host)).status == 404
    assert served.visitor().post(link_in(for_thief)).where.startswith("/sign-in")
    assert "own@example.org" in owner.get("/account").text
    assert "own@example.org" not in thief.get("/account").text


def test_whoever_asks_does_not_wait_for_the_mail(serve: Serve, mailbox: Mailbox) -> None:
    """Neither a slow server for mail nor one that is gone shows who has an account."""
    served = serve(settings=mailbox.settings)
    host = served.host()
    assert host.post(give(mailbox, host, "host@example.org")).status == 303
    served.stop()
    served = serve(served.folder)
    mailbox.goes_on.clear()
    mailbox.came.clear()
    known = served.visitor().post("/sign-in", mail="host@example.org")
    assert mailbox.came.wait(60)  # the letter waits in the middle of being sent
    unknown = served.visitor().post("/sign-in", mail="nobody@example.org")
    assert (known.status, known.text) == (unknown.status, unknown.text)
    served.stop()
    mailbox.goes_on.set()
    mailbox.close()
    served = serve(served.folder)
    known = served.visitor().post("/sign-in", mail="host@example.org")
    assert (known.status, known.text) == (unknown.status, unknown.text)
    wait_for_line(served, "mail could not be sent")


def test_mail_travels_encrypted_to_a_server_that_is_the_right_one(tmp_path: Path) -> None:
    """One with a certificate that this machine trusts gets the letter, by STARTTLS; others none."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "1", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    box = Mailbox(certificate, key)
    folder = tmp_path / "own"
    folder.mkdir(mode=0o700)
    (folder / "site.toml").write_text(box.settings)
    served = Served(folder, env={"SSL_CERT_FILE": str(certificate)})
    host = served.host()
    assert host.post(give(box, host, "host@example.org")).status == 303
    assert b"STARTTLS" in box.clear_text
    assert b"host@example.org" not in box.clear_text
    served.stop()
    served = Served(folder)  # which knows nothing of the certificate
    assert served.visitor().post("/sign-in", mail="host@example.org").status == 200
    wait_for_line(served, "certificate")
    served.stop()
    assert box.is_empty
    assert b"host@example.org" not in box.clear_text
    box.close()

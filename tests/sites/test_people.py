"""People on a site: links that work once, sessions that end, tokens, roles."""

from __future__ import annotations

import re
import stat

import pytest

from command import arena, assert_refused

from .conftest import Serve
from .served import Served, Visitor, token_of

pytestmark = pytest.mark.source_only


@pytest.fixture(scope="module")
def host(site: Served) -> Visitor:
    """The host of the site of this module."""
    return site.host()


def test_the_first_start_makes_a_folder_that_only_its_owner_reads(site: Served) -> None:
    """Accounts and what was handed in lie in one folder, and no other user can read it."""
    assert stat.S_IMODE(site.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((site.folder / "site.db").stat().st_mode) == 0o600
    assert (site.folder / "site.toml").is_file()


def test_a_host_invites_somebody_who_joins(site: Served, host: Visitor) -> None:
    """From the printed link to a second person: two links, two names, no password."""
    author = site.invited(host, "ada")
    assert "ada" in author.get("/account").text
    assert author.get("/people").status == 403
    page = host.get("/people").text
    assert "ada" in page
    assert "hosty" in page


def test_a_link_is_not_used_up_by_looking_at_it(site: Served, host: Visitor) -> None:
    """Programs that open links in mail before people do leave them as they are."""
    link = host.post("/people/invitations", role="author", note="").secret
    for _ in range(3):
        assert site.visitor().get(link).status == 200
    assert site.visitor().enter(link, "looked-at").status == 303


def test_a_link_works_once(site: Served, host: Visitor) -> None:
    """Who finds a used link in a history or a log cannot use it."""
    link = host.post("/people/invitations", role="author", note="").secret
    assert site.visitor().enter(link, "first").status == 303
    again = site.visitor()
    assert again.get(link).status == 404
    assert again.enter(link, "second").status == 404
    assert not again.cookies


def test_a_taken_name_does_not_use_up_the_link(site: Served, host: Visitor) -> None:
    """Who chooses a name that is taken, or no name, chooses another by the same link."""
    link = host.post("/people/invitations", role="author", note="").secret
    somebody = site.visitor()
    for name in ("hosty", "Not A Name", "", "x" * 65):
        reply = somebody.enter(link, name)
        assert reply.status in (400, 409)
        assert 'role="alert"' in reply.text
    assert somebody.enter(link, "another").status == 303


def test_an_invitation_that_was_taken_back_is_void(site: Served, host: Visitor) -> None:
    """A link that went to the wrong person lets nobody in."""
    link = host.post("/people/invitations", role="author", note="wrong").secret
    number = re.findall(r"/people/invitations/(\d+)/take-back", host.get("/people").text)[-1]
    assert host.post(f"/people/invitations/{number}/take-back").status == 303
    assert site.visitor().enter(link, "late").status == 404


def test_signing_in_makes_a_new_session(site: Served, host: Visitor) -> None:
    """A cookie that somebody else has put into a browser is worth nothing after signing in."""
    author = site.invited(host, "fixed")
    planted = author.cookies["session"]
    other = site.visitor()
    other.cookies["session"] = planted
    other.enter(author.post("/account/link").secret)
    assert other.cookies["session"] != planted
    assert author.get("/account").status == 303  # the planted session has ended
    assert other.get("/account").status == 200
    stranger = site.visitor()
    stranger.cookies["session"] = "chosen-by-an-attacker"
    stranger.enter(other.post("/account/link").secret)
    assert stranger.cookies["session"] != "chosen-by-an-attacker"


def test_the_cookie_is_out_of_scripts_reach(site: Served, host: Visitor) -> None:
    """No script reads the session, and no other site's form is sent with it."""
    link = host.post("/people/invitations", role="author", note="").secret
    cookie = site.visitor().enter(link, "cookie").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_sessions_can_be_ended(site: Served, host: Visitor) -> None:
    """Who has lost a laptop ends its session from another one; signing out ends one's own."""
    author = site.invited(host, "two-places")
    other = site.visitor()
    other.enter(author.post("/account/link").secret)
    assert other.get("/account").status == 200
    author.post("/account/sessions/end-others")
    assert other.get("/account").status == 303
    kept = dict(author.cookies)
    author.post("/sign-out")
    assert not author.cookies
    author.cookies = kept
    assert author.get("/account").status == 303


def test_nobody_ends_sessions_or_tokens_of_others(site: Served, host: Visitor) -> None:
    """Numbers in addresses are no keys: what they name has to be one's own."""
    victim, thief = site.invited(host, "victim"), site.invited(host, "thief")
    token = token_of(victim)
    for number in range(1, 60):
        thief.post(f"/account/sessions/{number}/end")
        thief.post(f"/account/tokens/{number}/revoke")
        if thief.get("/account").status != 200:  # it has ended its own session
            thief.enter(host.post("/people/3/link").secret)
    assert victim.get("/account").status == 200
    assert victim.call("GET", "/me", token).json["name"] == "victim"


def test_tokens_do_what_they_are_for_until_they_are_revoked(site: Served, host: Visitor) -> None:
    """A token that may read hands in nothing, no token changes an account, none is forever."""
    author = site.invited(host, "scoped")
    token = token_of(author, "read")
    assert author.call("GET", "/me", token).json == {
        "name": "scoped", "role": "author", "scopes": ["read"],
    }  # fmt: skip
    assert author.call("POST", "/ladders/none/submissions", token, b"x").status == 403
    assert author.call("POST", "/invitations", token, {}).status == 403
    assert token not in author.get("/account").text
    assert author.call("DELETE", "/token", token).json == {"done": True}
    refused = author.call("GET", "/me", token)
    assert refused.status == 401
    assert "arena login" in refused.json["error"]


def test_an_author_gets_no_scope_of_the_hosts(site: Served, host: Visitor) -> None:
    """Asking for more than one's role has is refused in one line."""
    author = site.invited(host, "greedy")
    reply = author.post("/account/tokens", label="x", scope=["read", "host"])
    assert reply.status == 400
    assert "expected some of" in reply.text


def test_a_role_that_is_taken_away_is_gone_from_tokens_too(site: Served, host: Visitor) -> None:
    """Who is no author any more hands in nothing, not even by an old token."""
    author = site.invited(host, "demoted")
    token = token_of(author)
    page = host.get("/people").text
    number = re.findall(r"demoted</bdi>.*?/people/(\d+)/r", page, re.DOTALL)[0]
    host.post(f"/people/{number}/role", role="spectator")
    assert author.call("GET", "/me", token).json["scopes"] == ["read"]
    assert author.get("/people").status == 403


def test_there_is_always_a_host(site: Served, host: Visitor) -> None:
    """The only host cannot lock himself out."""
    reply = host.post("/people/1/role", role="author")
    assert reply.status == 403
    assert "only host" in reply.text


def test_a_host_who_has_lost_everything_gets_a_new_link(site: Served, host: Visitor) -> None:
    """Whoever can write to the folder is its host: the command prints a link, once more."""
    port = site.address.rpartition(":")[2]
    done = arena("serve", str(site.folder), "--host-link", "--port", port)
    assert done.code == 0, done.err
    again = site.visitor()
    assert again.enter(done.out.strip()).status == 303
    assert "Role of" in again.get("/people").text


def test_one_takes_ones_data_along_and_leaves(site: Served, host: Visitor) -> None:
    """An account can be downloaded and deleted by its owner, and its session is over then."""
    author = site.invited(host, "leaving")
    token = token_of(author)
    kept = author.get("/account/export").json
    assert kept["account"]["name"] == "leaving"
    assert token not in author.get("/account/export").text
    assert author.post("/account/delete", name="wrong").status == 400
    assert author.post("/account/delete", name="leaving").status == 303
    assert author.get("/account").status == 303
    assert author.call("GET", "/me", token).status == 401


def test_open_sign_up_is_the_hosts_choice_and_bounded(serve: Serve) -> None:
    """By default nobody joins without an invitation; a host can let in so many a day."""
    closed = serve()
    assert closed.visitor().post("/join", name="x").status == 403
    closed.stop()
    opened = serve(
        closed.folder.with_name("open"), settings='sign-up = "open"\nsign-ups-a-day = 2\n'
    )
    for name, status in (("a", 303), ("b", 303), ("c", 409)):
        assert opened.visitor().post("/join", name=name).status == status


def test_after_signing_in_one_stays_on_the_site(site: Served, host: Visitor) -> None:
    """A link to the sign-in page that others have made leads nowhere else afterwards."""
    for path in ("//evil.example", "https://evil.example", "/\\evil.example", "/%0d%0aX:y"):
        assert host.get(f"/sign-in?next={path}").where == "/"
    assert host.get("/sign-in?next=/submissions").where == "/submissions"


def test_a_login_of_a_program_is_allowed_in_a_browser_and_collected_once(
    site: Served, host: Visitor
) -> None:
    """`arena login` gets a token for whoever allows it, once, and no token without him."""
    author = site.invited(host, "programmer")
    started = site.visitor().call("POST", "/logins", body={"label": "a laptop"}).json
    secret = {"secret": started["secret"]}
    assert site.visitor().call("POST", "/logins/token", body=secret).json == {"token": None}
    page = author.get(started["link"])
    assert "a laptop" in page.text
    assert author.post(started["link"]).status == 200
    token = site.visitor().call("POST", "/logins/token", body=secret).json["token"]
    assert author.call("GET", "/me", token).json["name"] == "programmer"
    assert site.visitor().call("POST", "/logins/token", body=secret).status == 404
    assert author.post(started["link"]).status == 404


def test_settings_with_mistakes_are_refused_in_one_line(serve: Serve, tmp_path: str) -> None:
    """A host sees every mistake in the settings at once, and the site does not start with them."""
    folder = serve().folder
    (folder / "site.toml").write_text(
        'title = 3\naddress = "http://arena.example.org"\nsign-up = "maybe"\n'
        "[limits]\nbots = -1\nx = 1\n"
    )
    other = folder.with_name("other")
    other.mkdir()
    (other / "site.toml").write_text((folder / "site.toml").read_text())
    refused = arena("serve", str(other), "--port", "0")
    assert_refused(
        refused, "title:", "address: expected https", "sign-up:", "limits.bots", "x: unk"
    )


def test_a_site_that_others_can_reach_needs_its_address(tmp_path: object, serve: Serve) -> None:
    """Links and passkeys are for one address, which the host has to name."""
    served = serve()
    folder = served.folder.with_name("public")
    assert_refused(arena("serve", str(folder), "--host", "0.0.0.0", "--port", "0"), "address:")


def test_one_server_at_a_time(serve: Serve) -> None:
    """Two servers on one folder would look at everything twice."""
    served = serve()
    assert_refused(arena("serve", str(served.folder), "--port", "0"), "is served already")
    assert served.stop() == 0


def test_a_folder_of_somebody_elses_is_left_alone(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A folder that has something else in it does not become a site by a slip."""
    folder = tmp_path_factory.mktemp("full")
    (folder / "thesis.txt").write_text("years of work")
    assert_refused(arena("serve", str(folder), "--port", "0"), "is no site, and not empty")
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]

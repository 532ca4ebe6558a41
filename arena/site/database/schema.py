"""The tables of a site, as the steps from an empty database to today's."""

from __future__ import annotations

from typing import Final

STEPS: Final = (
    """
    CREATE TABLE people (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL,
        mail TEXT UNIQUE,
        handle BLOB NOT NULL UNIQUE,
        joined INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE links (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        hash BLOB NOT NULL UNIQUE,
        person INTEGER REFERENCES people ON DELETE CASCADE,
        role TEXT,
        note TEXT NOT NULL,
        expires INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE sessions (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        hash BLOB NOT NULL UNIQUE,
        person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
        agent TEXT NOT NULL,
        made INTEGER NOT NULL,
        seen INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE tokens (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        hash BLOB NOT NULL UNIQUE,
        person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
        label TEXT NOT NULL,
        scopes TEXT NOT NULL,
        made INTEGER NOT NULL,
        used INTEGER
    ) STRICT;
    CREATE TABLE passkeys (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id BLOB NOT NULL UNIQUE,
        person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
        public_key BLOB NOT NULL,
        count INTEGER NOT NULL,
        label TEXT NOT NULL,
        made INTEGER NOT NULL,
        used INTEGER
    ) STRICT;
    CREATE TABLE challenges (
        hash BLOB PRIMARY KEY,
        person INTEGER REFERENCES people ON DELETE CASCADE,
        expires INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE logins (
        hash BLOB PRIMARY KEY,
        code TEXT NOT NULL UNIQUE,
        label TEXT NOT NULL,
        scopes TEXT NOT NULL,
        person INTEGER REFERENCES people ON DELETE CASCADE,
        expires INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE submissions (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
        ladder TEXT NOT NULL,
        state TEXT NOT NULL,
        made INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        size INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        attempt INTEGER NOT NULL DEFAULT 0,
        reason TEXT NOT NULL DEFAULT '',
        bot TEXT NOT NULL DEFAULT '',
        version TEXT NOT NULL DEFAULT '',
        digest TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX submissions_by_state ON submissions (state, number);
    CREATE INDEX submissions_by_person ON submissions (person, made);
    CREATE TABLE names (
        ladder TEXT NOT NULL,
        bot TEXT NOT NULL,
        person INTEGER REFERENCES people ON DELETE SET NULL,
        PRIMARY KEY (ladder, bot)
    ) STRICT;
    """,
    """
    CREATE TABLE host_wishes (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        ladder TEXT NOT NULL,
        person INTEGER REFERENCES people ON DELETE SET NULL,
        wish TEXT NOT NULL,
        state TEXT NOT NULL,
        answer TEXT NOT NULL DEFAULT '',
        block INTEGER,
        made INTEGER NOT NULL,
        changed INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX host_wishes_by_ladder ON host_wishes (ladder, number);
    ALTER TABLE submissions ADD COLUMN trial INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE matches (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
        ladder TEXT NOT NULL,
        submission INTEGER REFERENCES submissions ON DELETE CASCADE,
        deals INTEGER NOT NULL,
        state TEXT NOT NULL,
        made INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        attempt INTEGER NOT NULL DEFAULT 0,
        reason TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX matches_by_state ON matches (state, number);
    CREATE INDEX matches_by_person ON matches (person, number);
    CREATE INDEX matches_by_ladder ON matches (ladder, submission, number);
    CREATE TABLE match_bots (
        number INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
        place INTEGER NOT NULL,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        digest TEXT NOT NULL,
        person INTEGER REFERENCES people ON DELETE SET NULL,
        PRIMARY KEY (number, place)
    ) STRICT;
    """,
    """
    CREATE TABLE mail_links (
        hash BLOB PRIMARY KEY,
        person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
        mail TEXT NOT NULL,
        expires INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX challenges_by_end ON challenges (expires);
    ALTER TABLE logins ADD COLUMN asker TEXT NOT NULL DEFAULT '';
    """,
)
"""Each step leads from one version of the database to the next. A step is never changed once it
was released: a change of a table is another step."""

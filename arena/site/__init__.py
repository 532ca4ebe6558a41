"""A site for competitions: accounts, bots that are handed in, and ladders, in one folder.

`rules` is pure: who may do what, what a submission goes through, what an author may hand in.
`database` keeps accounts, submissions and matches, `intake` looks at what was handed in,
`matches` has unrated games played that people start, and `web` answers requests. Whatever plays
is started as a program of the arena.
"""

__all__ = ["backup", "folder", "server", "settings", "starters"]
"""The modules that other rooms use."""

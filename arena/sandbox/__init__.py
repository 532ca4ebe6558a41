"""Attacks on the walls of a sandbox, and what is seen of them on this host."""

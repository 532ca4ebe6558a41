"""Attacks on sandboxes."""

"""Plugins, sound and broken ones."""

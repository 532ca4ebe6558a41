"""Ladders on a cluster."""

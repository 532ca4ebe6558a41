"""Packing: a bot made into a folder that builds without a network, to be handed in."""

__all__ = ["pack"]
"""The modules that other packages import."""

"""The conformance check: whether a bot keeps to the protocol, step by step."""

__all__ = ["check", "report"]
"""The modules that other rooms use."""

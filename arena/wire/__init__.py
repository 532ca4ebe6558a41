"""The wire: bytes to typed messages and back, without I/O."""

__all__ = ["codec", "frames", "messages"]
"""The modules that other packages import."""

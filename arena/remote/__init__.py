"""A site from outside, by its programs' interface: logging in, handing in, and looking on.

It needs nothing but the standard library, so that authors need no extra.
"""

__all__ = ["archive", "client", "credentials", "finished", "ladders", "log_download"]
"""The modules that other rooms use."""

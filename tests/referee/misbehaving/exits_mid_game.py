"""Ends when it is asked for its third decision, as if all were well."""

from honest import Honest

Honest().until(3)

"""The conformance check."""

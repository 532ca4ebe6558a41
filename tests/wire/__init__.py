"""The protocol's vectors."""

"""The protocol's bytes: frames and messages, without I/O."""

"""The conformance check: whether a bot keeps to the protocol, step by step."""

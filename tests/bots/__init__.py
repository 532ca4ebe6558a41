"""Tests of what bot authors use: manifests, starters and the conformance check."""

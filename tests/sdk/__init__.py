"""The SDK for Python."""

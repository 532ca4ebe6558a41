"""The bundled bots in Python, each an example of one idea."""

"""The arena: programs compete at card games for several players."""

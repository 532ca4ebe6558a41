"""The arena: a place for programs to compete at card games of three to five players."""

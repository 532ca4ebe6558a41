"""The rules of a site, without I/O: people and their rights, submissions, limits, secrets."""

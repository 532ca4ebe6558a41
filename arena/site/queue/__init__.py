"""The queue of a site: submissions and matches, one at a time, each looked after by a program."""

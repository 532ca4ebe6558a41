"""What was handed in, looked at: unpacked, sealed, built and checked, one at a time.

`examiner` takes submissions from the queue and starts `examination` for each, a program that
ends with the server. `admission` says who may enter a ladder.
"""

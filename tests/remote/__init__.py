"""Sites from outside, as the command line speaks to them."""

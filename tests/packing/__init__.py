"""What `arena bot pack` makes of a bot, without the tools of any language."""

package arena.sdk;

/** A bot's answer: an {@link Action}, or the {@link Index} of one in the list of legal actions. */
public sealed interface Answer permits Action, Index {}

package arena.sdk;

/** What a bot answers: an {@link Action}, or the {@link Index} of one in the list of legal actions. */
public sealed interface Answer permits Action, Index {}

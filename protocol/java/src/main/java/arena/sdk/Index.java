package arena.sdk;

/** An action by its place in {@link Question#actions}, from 0; works without the list, too. */
public record Index(int at) implements Answer {}

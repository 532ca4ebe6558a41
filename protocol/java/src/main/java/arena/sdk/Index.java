package arena.sdk;

/** An action by its index in {@link Question#actions}, from 0; works without the list, too. */
public record Index(int at) implements Answer {}

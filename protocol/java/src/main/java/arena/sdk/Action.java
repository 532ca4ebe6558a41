package arena.sdk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An action of a game: a verb, then integers. The games' packages have a record for each of their
 * actions; {@link #of} makes any other.
 */
public non-sealed interface Action extends Answer {
    /** The verb, such as "take". */
    String verb();

    /** The integers after the verb: cards, positions or seats, as the game defines. */
    List<Integer> numbers();

    /** One of the numbers. */
    default int number(int at) {
        return numbers().get(at);
    }

    /** Whether both are the same action, whatever their classes. */
    default boolean same(Action other) {
        return verb().equals(other.verb()) && numbers().equals(other.numbers());
    }

    /** An action from its parts, such as {@code Action.of("take", 2)}. */
    static Action of(String verb, int... numbers) {
        return new Plain(verb, Arrays.stream(numbers).boxed().toList());
    }

    /** An action as a message holds it: {@code ["take", 2]}. */
    static Action of(List<?> parts) {
        List<Integer> numbers = new ArrayList<>(parts.size());
        for (Object part : parts.subList(1, parts.size())) {
            numbers.add((Integer) part);
        }
        return new Plain((String) parts.get(0), numbers);
    }
}

/** An action that belongs to no game in particular. */
record Plain(String verb, List<Integer> numbers) implements Action {
    @Override
    public String toString() {
        return numbers.stream().map(number -> ", " + number).collect(Collectors.joining("", "[\"" + verb + "\"", "]"));
    }
}

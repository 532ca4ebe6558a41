package arena.sdk;

import java.util.List;
import java.util.Map;

/** The end of a game. Scores, places (1 is the best) and verdicts are by seat. */
public record End(
        Start start,
        List<Integer> scores,
        List<Integer> places,
        List<String> verdicts,
        long firstEvent,
        List<Map<String, Object>> events) {

    /** An end as the referee sends it, for the game with this start. */
    public static End of(Fields message, Start start) {
        return new End(
                start,
                message.integers("scores"),
                message.integers("places"),
                message.texts("verdicts"),
                message.number("first_event"),
                message.maps("events"));
    }
}

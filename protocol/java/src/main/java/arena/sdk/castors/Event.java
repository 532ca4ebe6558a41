package arena.sdk.castors;

import arena.sdk.Fields;
import arena.sdk.Question;
import java.util.List;
import java.util.Map;

/** The events of Gang de Castors. Cards that only one seat may see are null for all others. */
public sealed interface Event {
    /** A deal began, and a card was turned up. */
    record Deal(int deal, int dealer, int card) implements Event {}

    /** A seat looked at the ends of its row. */
    record Looked(int seat, List<Integer> positions, List<Integer> cards) implements Event {}

    /** A seat took the top discard into its row. */
    record Took(int seat, int card, int position, int discarded) implements Event {}

    /** A seat drew. */
    record Drew(int seat, Integer card) implements Event {}

    /** A seat put the drawn card into its row. */
    record Kept(int seat, int position, int discarded) implements Event {}

    /** A seat discarded the drawn card. */
    record Discarded(int seat, int card) implements Event {}

    /** A seat rejected the drawn card. */
    record Rejected(int seat, int card) implements Event {}

    /** A seat played a swap card. */
    record Swapped(int seat, int position, int other, int otherPosition) implements Event {}

    /** A seat played a peek card and looked at this position. */
    record Peeked(int seat, int position, Integer card) implements Event {}

    /** A seat played a draw card. */
    record Drawing(int seat) implements Event {}

    /** The discards became a new pile. */
    record Reshuffled(int pile) implements Event {}

    /** A seat called the last round. */
    record Called(int seat) implements Event {}

    /** A special card was replaced at the end of a deal: the cards set aside, then the one that stayed. */
    record Replaced(int seat, int position, List<Integer> cards) implements Event {}

    /** A deal ended; all rows are shown. */
    record Counted(List<List<Integer>> rows, List<Integer> points, List<Integer> totals) implements Event {}

    /** An event of a later version of the rules. */
    record Other(Map<String, Object> data) implements Event {}

    /** An event from its data. */
    static Event of(Map<String, Object> data) {
        Fields event = new Fields("event", data);
        return switch (event.text("event")) {
            case "deal" -> new Deal(event.integer("deal"), event.integer("dealer"), event.integer("card"));
            case "looked" -> new Looked(
                    event.integer("seat"), event.integers("positions"), event.integersOrNull("cards"));
            case "took" -> new Took(
                    event.integer("seat"), event.integer("card"), event.integer("position"), event.integer("discarded"));
            case "drew" -> new Drew(event.integer("seat"), event.integerOrNull("card"));
            case "kept" -> new Kept(event.integer("seat"), event.integer("position"), event.integer("discarded"));
            case "discarded" -> new Discarded(event.integer("seat"), event.integer("card"));
            case "rejected" -> new Rejected(event.integer("seat"), event.integer("card"));
            case "swapped" -> new Swapped(
                    event.integer("seat"),
                    event.integer("position"),
                    event.integer("other"),
                    event.integer("other_position"));
            case "peeked" -> new Peeked(event.integer("seat"), event.integer("position"), event.integerOrNull("card"));
            case "drawing" -> new Drawing(event.integer("seat"));
            case "reshuffled" -> new Reshuffled(event.integer("pile"));
            case "called" -> new Called(event.integer("seat"));
            case "replaced" -> new Replaced(event.integer("seat"), event.integer("position"), event.integers("cards"));
            case "counted" -> new Counted(event.rows("rows"), event.integers("points"), event.integers("totals"));
            default -> new Other(data);
        };
    }

    /** What happened since the bot was last asked. */
    static List<Event> all(Question question) {
        return question.events().stream().map(Event::of).toList();
    }
}

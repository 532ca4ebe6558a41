package arena.sdk.gargon;

import arena.sdk.Fields;
import arena.sdk.Question;
import java.util.List;
import java.util.Map;

/** The events of Gargon. Cards that only one seat may see are null for all others. */
public sealed interface Event {
    /** A hand was dealt. */
    record Dealt(int seat, List<Integer> colours, List<Integer> cards) implements Event {}

    /** A round began. */
    record Round(int round, int starter) implements Event {}

    /** Cards were played face down. */
    record Played(int seat, List<Integer> colours, List<Integer> cards) implements Event {}

    /** A seat passed and drew these numbers of cards from the stacks. */
    record Passed(int seat, List<Integer> amounts, List<Integer> colours, List<Integer> cards) implements Event {}

    /** The played cards were turned up. */
    record Revealed(List<List<Integer>> table) implements Event {}

    /** A colour was chosen for battle. */
    record Battle(int seat, int colour) implements Event {}

    /** Cards fought, one of each seat; the winner is -1 if all were zeros. */
    record Fought(List<Integer> seats, List<Integer> cards, int winner) implements Event {}

    /** The only seat left in a colour won its cards. */
    record Won(int seat, List<Integer> cards) implements Event {}

    /** A seat drew a card for the one it lost. */
    record Drew(int seat, int stack, int colour, Integer card) implements Event {}

    /** The game ended; all piles are shown. */
    record Scored(List<List<Integer>> won, List<Integer> scores) implements Event {}

    /** An event of a later version of the rules. */
    record Other(Map<String, Object> data) implements Event {}

    /** An event from its data. */
    static Event of(Map<String, Object> data) {
        Fields event = new Fields("event", data);
        return switch (event.text("event")) {
            case "dealt" -> new Dealt(event.integer("seat"), event.integers("colours"), event.integersOrNull("cards"));
            case "round" -> new Round(event.integer("round"), event.integer("starter"));
            case "played" -> new Played(event.integer("seat"), event.integers("colours"), event.integersOrNull("cards"));
            case "passed" -> new Passed(
                    event.integer("seat"),
                    event.integers("amounts"),
                    event.integers("colours"),
                    event.integersOrNull("cards"));
            case "revealed" -> new Revealed(event.rows("table"));
            case "battle" -> new Battle(event.integer("seat"), event.integer("colour"));
            case "fought" -> new Fought(event.integers("seats"), event.integers("cards"), event.integer("winner"));
            case "won" -> new Won(event.integer("seat"), event.integers("cards"));
            case "drew" -> new Drew(
                    event.integer("seat"), event.integer("stack"), event.integer("colour"), event.integerOrNull("card"));
            case "scored" -> new Scored(event.rows("won"), event.integers("scores"));
            default -> new Other(data);
        };
    }

    /** What happened since the bot was last asked. */
    static List<Event> all(Question question) {
        return question.events().stream().map(Event::of).toList();
    }
}

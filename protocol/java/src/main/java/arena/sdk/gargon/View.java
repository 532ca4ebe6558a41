package arena.sdk.gargon;

import arena.sdk.Fields;
import arena.sdk.Question;
import java.util.ArrayList;
import java.util.List;

/**
 * What a seat sees. Lists with one entry per seat start with seat 0; nil in the data is null.
 *
 * @param seat your seat
 * @param turn the seat that has to decide, -1 after the end
 * @param kind what it has to decide: play, battle, draw; empty after the end
 * @param round the number of the round, from 0
 * @param starter the starter of the round
 * @param shape the starter's shape, most first; null until he has played
 * @param passed who passed in this round
 * @param hand your cards, ascending
 * @param hands every hand by the colours on the backs: a count per colour
 * @param played the cards before each seat on the table: a count per colour
 * @param table the cards before each seat on the table; null for those that lie face down
 * @param stacks the colours on the backs of both stacks, the top card first
 * @param won the piles of won cards, in the order in which they were won; null for those you may not see
 * @param discards all discarded cards, in the order in which they were discarded
 * @param fighting the colour of the battle going on, -1 if none
 * @param drawing who still draws a card for the one he lost, in order
 */
public record View(
        int seat,
        int turn,
        String kind,
        int round,
        int starter,
        List<Integer> shape,
        List<Boolean> passed,
        List<Integer> hand,
        List<List<Integer>> hands,
        List<List<Integer>> played,
        List<List<Integer>> table,
        List<List<Integer>> stacks,
        List<List<Integer>> won,
        List<Integer> discards,
        int fighting,
        List<Integer> drawing) {

    /** The view of this question. */
    public static View of(Question question) {
        return of(question.viewFields());
    }

    /** A view from its data. */
    public static View of(Fields view) {
        return new View(
                view.integer("seat"),
                view.integer("turn"),
                view.text("kind"),
                view.integer("round"),
                view.integer("starter"),
                view.integersOrNull("shape"),
                view.bools("passed"),
                view.integers("hand"),
                view.rows("hands"),
                view.rows("played"),
                view.rows("table"),
                view.rows("stacks"),
                view.rows("won"),
                view.integers("discards"),
                view.integer("fighting"),
                view.integers("drawing"));
    }

    /** How many seats there are. */
    public int seats() {
        return hands.size();
    }

    /** The seats that play or pass after you in this round, in order; empty if you are last. */
    public List<Integer> seatsAfter() {
        List<Integer> after = new ArrayList<>();
        for (int next = (seat + 1) % seats(); next != starter; next = (next + 1) % seats()) {
            after.add(next);
        }
        return after;
    }

    /** Your own cards on the table. */
    public List<Integer> ownTable() {
        return table.get(seat);
    }

    /** The cards that you have won. */
    public List<Integer> ownWon() {
        return won.get(seat);
    }
}

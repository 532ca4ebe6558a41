package arena.sdk.castors;

import arena.sdk.Fields;
import arena.sdk.Question;
import java.util.List;

/**
 * What a seat sees. Lists with one entry per seat start with seat 0; what the data has as nil is null.
 *
 * @param seat your seat
 * @param turn the seat that has to decide, -1 after the end
 * @param kind what it has to decide: turn, card, call; empty after the end
 * @param deal the number of the deal, from 0
 * @param deals how many deals the game has
 * @param dealer the dealer; his left neighbour began
 * @param moves how many turns were completed in this deal
 * @param caller who called the last round, -1 if nobody has
 * @param rows the rows of all seats, -1 for cards that you cannot know
 * @param knownBy who knows which card of the rows: bit s is set if seat s does
 * @param kept what everybody knows of the cards that were drawn and kept: they are value cards
 * @param discards the discards, the top card last
 * @param pile how many cards the pile has
 * @param drawn the card that the seat in turn has drawn, -1 if that is not you; null if there is none
 * @param rejectable whether the drawn card can be rejected for a second one
 * @param pools how many of each card you cannot locate, by the shuffle that they came from
 * @param rowPools the pool from which each card of the rows came
 * @param drawnPool the pool from which the drawn card came, -1 if none
 * @param totals the points of the deals so far, by seat
 */
public record View(
        int seat,
        int turn,
        String kind,
        int deal,
        int deals,
        int dealer,
        int moves,
        int caller,
        List<List<Integer>> rows,
        List<List<Integer>> knownBy,
        List<List<Boolean>> kept,
        List<Integer> discards,
        int pile,
        Integer drawn,
        boolean rejectable,
        List<List<Integer>> pools,
        List<List<Integer>> rowPools,
        int drawnPool,
        List<Integer> totals) {

    /** What is seen at this question. */
    public static View of(Question question) {
        return of(question.viewFields());
    }

    /** A view from its data. */
    public static View of(Fields view) {
        return new View(
                view.integer("seat"),
                view.integer("turn"),
                view.text("kind"),
                view.integer("deal"),
                view.integer("deals"),
                view.integer("dealer"),
                view.integer("moves"),
                view.integer("caller"),
                view.rows("rows"),
                view.rows("known_by"),
                view.boolRows("kept"),
                view.integers("discards"),
                view.integer("pile"),
                view.integerOrNull("drawn"),
                view.bool("rejectable"),
                view.rows("pools"),
                view.rows("row_pools"),
                view.integer("drawn_pool"),
                view.integers("totals"));
    }

    /** How many seats there are. */
    public int seats() {
        return rows.size();
    }

    /** The seat that plays after this one. */
    public int next(int other) {
        return (other + 1) % seats();
    }

    /** Your own row, -1 for cards that you do not know. */
    public List<Integer> row() {
        return rows.get(seat);
    }

    /** The top discard, the card that can be taken; -1 if there are no discards. */
    public int top() {
        return discards.isEmpty() ? -1 : discards.get(discards.size() - 1);
    }

    /** Whether a seat knows a card of a row. */
    public boolean knows(int who, int owner, int position) {
        return (knownBy.get(owner).get(position) >> who & 1) == 1;
    }

    /**
     * How many of each card a card of a row may be: of those that you cannot locate and that came from
     * the same shuffle. One that was drawn and kept is no special card.
     */
    public int[] odds(int owner, int position) {
        int[] odds = new int[Cards.KINDS];
        int known = rows.get(owner).get(position);
        if (known >= 0) {
            odds[known] = 1;
            return odds;
        }
        List<Integer> pool = pools.get(rowPools.get(owner).get(position));
        int kinds = kept.get(owner).get(position) ? Cards.NINE + 1 : Cards.KINDS;
        for (int card = 0; card < kinds; card++) {
            odds[card] = pool.get(card);
        }
        return odds;
    }

    /** The points to expect of a card of a row; a special card is replaced by one from the pile. */
    public double expected(int owner, int position) {
        int known = rows.get(owner).get(position);
        if (known >= 0) {
            return Cards.isSpecial(known) ? pileMean() : known;
        }
        return mean(pools.get(rowPools.get(owner).get(position)));
    }

    /** The mean value of the value cards in the pile, as far as you can tell. */
    public double pileMean() {
        return mean(pools.get(pools.size() - 1));
    }

    private static double mean(List<Integer> pool) {
        int count = 0;
        int sum = 0;
        for (int card = 0; card <= Cards.NINE; card++) {
            count += pool.get(card);
            sum += card * pool.get(card);
        }
        return count > 0 ? (double) sum / count : Cards.NINE / 2.0;
    }
}

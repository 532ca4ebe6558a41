package arena.sdk.castors;

import arena.sdk.Fields;
import arena.sdk.Question;
import java.util.List;

/**
 * What a seat sees. Lists with one entry per seat start with seat 0; nil in the data is null.
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
    public List<Integer> ownRow() {
        return rows.get(seat);
    }

    /** The open card, which can be taken unless it is special; -1 if there are no discards. */
    public int topDiscard() {
        return discards.isEmpty() ? Cards.UNKNOWN : discards.get(discards.size() - 1);
    }

    /** Whether a seat knows a card of a row. */
    public boolean knows(int who, int owner, int position) {
        return (knownBy.get(owner).get(position) >> who & 1) == 1;
    }

    /** The number of each card that you cannot locate, in the shuffle of this card of a row. */
    public List<Integer> pool(int owner, int position) {
        return pools.get(rowPools.get(owner).get(position));
    }

    /** The number of each card that may be in the pile. */
    public List<Integer> pilePool() {
        return pools.get(pools.size() - 1);
    }

    /** The expected points of a card of a row; a special card will be replaced from the pile. */
    public double expectedPoints(int owner, int position) {
        int card = rows.get(owner).get(position);
        if (card == Cards.UNKNOWN) {
            return Cards.meanValue(pool(owner, position));
        }
        return Cards.isSpecial(card) ? Cards.meanValue(pilePool()) : card;
    }
}

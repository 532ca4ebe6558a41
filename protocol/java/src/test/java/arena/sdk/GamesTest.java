package arena.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.sdk.gargon.Cards;
import arena.sdk.gargon.Rules;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The helpers of the games' packages for cards and rows. */
class GamesTest {
    /** Gargon's card 37 is violet 5. */
    @Test
    void knowsGargonsCards() {
        assertEquals(2, Cards.colour(37));
        assertEquals(5, Cards.value(37));
        assertEquals(37, Cards.card(2, 5));
        assertEquals("violet 5", Cards.cardName(37));
        assertEquals(List.of(2, 1), Cards.shape(List.of(66, 57, 70)));
        assertEquals(List.of(1, 1, 1), Cards.shape(List.of(0, 16, 32)));
    }

    /** Only cards of the values 1 to 12 have amulets; only zeros have two copies. */
    @Test
    void countsAmulets() {
        Rules rules = new Rules(false, List.of(5, 5, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1));
        assertEquals(0, Cards.amulets(Cards.card(5, 0), rules));
        assertEquals(4, Cards.amulets(Cards.card(5, 3), rules));
        assertEquals(1, Cards.amulets(Cards.card(5, 12), rules));
        assertEquals(0, Cards.amulets(Cards.card(5, 13), rules));
        assertEquals(2, Cards.copies(Cards.card(5, 0)));
        assertEquals(1, Cards.copies(Cards.card(5, 1)));
    }

    /** A typed action equals the plain one from the list. */
    @Test
    void comparesActions() {
        assertTrue(new arena.sdk.castors.Move.Take(2).same(Action.of("take", 2)));
        assertTrue(!new arena.sdk.castors.Move.Take(2).same(Action.of("take", 3)));
        assertTrue(!new arena.sdk.castors.Move.Take(2).same(Action.of("keep", 2)));
    }

    /** Special cards of Gang de Castors have names and no points. */
    @Test
    void knowsCastorsCards() {
        assertEquals("swap", arena.sdk.castors.Cards.cardName(10));
        assertEquals("9", arena.sdk.castors.Cards.cardName(9));
        assertEquals("unknown", arena.sdk.castors.Cards.cardName(-1));
        assertTrue(arena.sdk.castors.Cards.isSpecial(12));
        assertEquals(OptionalInt.of(9), arena.sdk.castors.Cards.value(9));
        assertEquals(OptionalInt.empty(), arena.sdk.castors.Cards.value(11));
        assertEquals(OptionalInt.empty(), arena.sdk.castors.Cards.value(-1));
    }

    /** A hidden card is one of its pool, and a special one is replaced at the end. */
    @Test
    void tellsTheOddsOfHiddenCards() {
        List<Integer> zeros = List.of(0, 0, 0, 0);
        List<Boolean> none = List.of(false, false, false, false);
        List<Integer> pool = List.of(1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 2, 0, 0);
        var view = new arena.sdk.castors.View(
                0, 0, "turn", 0, 2, 1, 0, -1,
                List.of(List.of(2, 10, -1, -1), List.of(-1, -1, -1, -1)),
                List.of(zeros, List.of(2, 0, 0, 0)),
                List.of(none, List.of(true, false, false, false)),
                List.of(5), 40, null, false, List.of(pool), List.of(zeros, zeros), -1, List.of(0, 0));
        double[] odds = arena.sdk.castors.Cards.odds(view.pool(1, 1));
        assertEquals(1 / 6.0, odds[0]);
        assertEquals(2 / 6.0, odds[10]);
        assertEquals(0, odds[9]);
        assertEquals(2, view.expectedPoints(0, 0));
        assertEquals(3, view.expectedPoints(0, 1));
        assertEquals(3, view.expectedPoints(0, 2));
        assertTrue(view.knows(1, 1, 0));
        assertEquals(5, view.topDiscard());
        assertEquals(0, view.next(1));
    }

    /** Turns go clockwise from the starter; his right neighbour is the last. */
    @Test
    void knowsWhoPlaysAfterWhom() {
        assertEquals(List.of(3, 0, 1), seatedAt(2).seatsAfter());
        assertEquals(List.of(1), seatedAt(0).seatsAfter());
        assertEquals(List.of(), seatedAt(1).seatsAfter());
    }

    /** The view of a seat of four, with seat 2 as the starter. */
    private static arena.sdk.gargon.View seatedAt(int seat) {
        List<Integer> none = List.of(0, 0, 0, 0, 0, 0);
        List<List<Integer>> counts = List.of(none, none, none, none);
        return new arena.sdk.gargon.View(
                seat, seat, "play", 0, 2, null, List.of(false, false, false, false), List.of(), counts, counts,
                List.of(), List.of(), List.of(), List.of(), -1, List.of());
    }
}

package arena.sdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.sdk.gargon.Cards;
import arena.sdk.gargon.Rules;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What the games' packages know of cards and rows. */
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

    /** Values without amulets are 0 and those above 12. */
    @Test
    void countsAmulets() {
        Rules rules = new Rules(false, List.of(5, 5, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1));
        assertEquals(0, rules.amulets(0));
        assertEquals(4, rules.amulets(3));
        assertEquals(1, rules.amulets(12));
        assertEquals(0, rules.amulets(13));
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

    /** A hidden card is one of its pool; one that was kept is no special card; a special one is replaced. */
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
        assertArrayEquals(new int[] {1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 2, 0, 0}, view.odds(1, 1));
        assertArrayEquals(new int[] {1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0}, view.odds(1, 0));
        assertEquals(2, view.expected(0, 0));
        assertEquals(3, view.expected(0, 1));
        assertEquals(3, view.expected(0, 2));
        assertTrue(view.knows(1, 1, 0));
        assertEquals(5, view.top());
        assertEquals(0, view.next(1));
    }

    /** Turns go clockwise from the starter. */
    @Test
    void knowsWhoPlaysAfterWhom() {
        List<Integer> none = List.of(0, 0, 0, 0, 0, 0);
        List<List<Integer>> noLists = List.of(List.of(), List.of(), List.of());
        var view = new arena.sdk.gargon.View(
                1, 1, "play", 0, 2, null, List.of(false, false, false), List.of(), List.of(none, none, none),
                List.of(none, none, none), noLists, List.of(List.of(), List.of()), noLists, List.of(), -1, List.of());
        assertEquals(List.of(2, 0, 1), view.order());
        assertTrue(view.last());
        assertTrue(!view.playsAfterYou(0));
    }
}

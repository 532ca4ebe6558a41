package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import arena.sdk.Fields;
import arena.sdk.Question;
import arena.sdk.Start;
import arena.sdk.castors.Cards;
import arena.sdk.castors.Move;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bot's choices. */
class StrategyTest {
    /** The bot puts an open 1 in the place of its 8. */
    @Test
    void takesALowDiscardForTheWorstCard() {
        assertEquals(new Move.Take(2), choose("turn", List.of(2, -1, 8, 3), Map.of("discards", List.of(9, 1))));
    }

    /** The bot does not take an open 7; it draws. */
    @Test
    void leavesAHighDiscard() {
        assertEquals(new Move.Draw(), choose("turn", List.of(2, -1, -1, 3), Map.of()));
    }

    /** The bot puts a drawn 0 in the place of its 9. */
    @Test
    void keepsALowCard() {
        assertEquals(new Move.Keep(0), choose("card", List.of(9, -1, -1, 3), Map.of("drawn", 0)));
    }

    /** The bot swaps its 9 for a card that another seat has drawn and kept. */
    @Test
    void swapsItsWorstCardForAKeptOne() {
        var kept = List.of(List.of(false, false, false, false), List.of(false, true, false, false));
        var changes = Map.of("drawn", Cards.SWAP, "kept", kept);
        assertEquals(new Move.Swap(0, 1, 1), choose("card", List.of(9, 1, 1, 3), changes));
    }

    /** The bot calls with a row of six points, but not of sixteen. */
    @Test
    void callsWithALowRow() {
        assertEquals(new Move.Call(), choose("call", List.of(0, 1, 2, 3), Map.of()));
        assertEquals(new Move.Wait(), choose("call", List.of(-1, 1, -1, 5), Map.of()));
    }

    /** The answer to a question to seat 0 of two with this row; changes replace other fields. */
    private static Object choose(String kind, List<Integer> row, Map<String, ?> changes) {
        List<Integer> zeros = List.of(0, 0, 0, 0);
        List<Boolean> none = List.of(false, false, false, false);
        Map<String, Object> view = new HashMap<>();
        view.put("seat", 0);
        view.put("turn", 0);
        view.put("kind", kind);
        view.put("deal", 0);
        view.put("deals", 4);
        view.put("dealer", 1);
        view.put("moves", 2);
        view.put("caller", -1);
        view.put("rows", List.of(row, List.of(-1, -1, -1, -1)));
        view.put("known_by", List.of(zeros, zeros));
        view.put("kept", List.of(none, none));
        view.put("discards", List.of(7));
        view.put("pile", 40);
        view.put("drawn", null);
        view.put("rejectable", false);
        view.put("pools", List.of(Arrays.asList(4, 4, 4, 4, 4, 4, 4, 3, 4, 9, 9, 7, 5)));
        view.put("row_pools", List.of(zeros, zeros));
        view.put("drawn_pool", -1);
        view.put("totals", List.of(0, 0));
        view.putAll(changes);
        Start start = new Start(new Fields("start", Map.of(
                "number", 0,
                "game", "castors",
                "rules", Map.of("laps", 100),
                "seat", 0,
                "seats", 2,
                "seed", 1,
                "clock", Map.of("decision", 100, "bank", 10_000, "start", 10_000))));
        return new Strategy()
                .choose(new Question(new Fields("act", Map.of("id", 1, "kind", kind, "view", view, "bank", 10_000)), start));
    }
}

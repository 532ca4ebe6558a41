package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import arena.sdk.Fields;
import arena.sdk.Index;
import arena.sdk.Question;
import arena.sdk.Start;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bot's choices. */
class StrategyTest {
    private static final List<Integer> NONE = List.of(0, 0, 0, 0, 0, 0);
    private static final List<Integer> AMULETS = List.of(5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1);

    /** Nobody else holds violet, so the bot plays the violet 2, which has five amulets. */
    @Test
    void playsWhatNobodyCanFight() {
        var actions = List.of(List.of("play", 3), List.of("play", 15), List.of("play", 34));
        assertEquals(new Index(2), choose("play", actions, Map.of()));
    }

    /** The bot fights with yellow 13 before white 3. */
    @Test
    void fightsWithTheHighestCardFirst() {
        var actions = List.of(List.of("battle", 0), List.of("battle", 4));
        var table = List.of(List.of(3, 77), List.of(4), List.of(66));
        assertEquals(new Index(1), choose("battle", actions, Map.of("table", table)));
    }

    /** The bot has won blue cards, so it draws blue. */
    @Test
    void drawsTheColourThatItCollects() {
        var actions = List.of(List.of("draw", 0), List.of("draw", 1));
        var won = Arrays.asList(List.of(20, 21), null, null);
        assertEquals(new Index(1), choose("draw", actions, Map.of("won", won)));
    }

    /** The answer to a question to seat 0 of three, the starter; changes replace fields of the view. */
    private static Object choose(String kind, List<?> actions, Map<String, ?> changes) {
        Map<String, Object> view = new HashMap<>();
        view.put("seat", 0);
        view.put("turn", 0);
        view.put("kind", kind);
        view.put("round", 0);
        view.put("starter", 0);
        view.put("shape", null);
        view.put("passed", List.of(false, false, false));
        view.put("hand", List.of(3, 15, 34)); // white 3, white 15, violet 2
        view.put("hands", List.of(List.of(2, 0, 1, 0, 0, 0), List.of(4, 0, 0, 3, 3, 0), List.of(2, 0, 0, 4, 0, 4)));
        view.put("played", List.of(NONE, NONE, NONE));
        view.put("table", Arrays.asList(List.of(), null, null));
        view.put("stacks", List.of(List.of(4, 0), List.of(1, 5)));
        view.put("won", Arrays.asList(List.of(), null, null));
        view.put("discards", List.of());
        view.put("fighting", -1);
        view.put("drawing", List.of());
        view.putAll(changes);
        Start start = new Start(new Fields("start", Map.of(
                "number", 0,
                "game", "gargon",
                "rules", Map.of("open_winnings", false, "amulets", AMULETS),
                "seat", 0,
                "seats", 3,
                "seed", 1,
                "clock", Map.of("decision", 100, "bank", 10_000, "start", 10_000))));
        return new Strategy().choose(new Question(
                new Fields("act", Map.of("id", 1, "kind", kind, "view", view, "actions", actions, "bank", 10_000)), start));
    }
}

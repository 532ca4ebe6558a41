package arena.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The conversation between the referee and a bot. */
class SessionTest {
    private static final Map<String, Object> START = Map.of(
            "t", "start",
            "number", 0,
            "game", "castors",
            "rules", Map.of("laps", 100),
            "seat", 0,
            "seats", 2,
            "seed", 7,
            "clock", Map.of("decision", 100, "bank", 10_000, "start", 10_000));
    private static final Map<String, Object> ACT = Map.of(
            "t", "act",
            "id", 1L << 40,
            "kind", "call",
            "view", Map.of(),
            "bank", 10_000,
            "actions", List.of(List.of("call"), List.of("wait")));

    /** A note is sent with the answer; without a note the key is absent. */
    @Test
    void sendsNotes() throws IOException {
        Bot bot = question -> {
            question.note(question.actions().size() + " choices, naïve");
            return question.actions().get(1);
        };
        assertEquals(
                List.of(Map.of("t", "action", "id", 1L << 40, "a", List.of("wait"), "note", "2 choices, naïve")),
                Vectors.play(bot, frames(START, ACT), 100));
        assertEquals(
                List.of(Map.of("t", "action", "id", 1L << 40, "i", 1)),
                Vectors.play(question -> new Index(1), frames(START, ACT), 100));
    }

    /** The same seed gives the same random numbers, for the whole game. */
    @Test
    void givesChanceFromTheSeed() throws IOException {
        List<Integer> drawn = new ArrayList<>();
        Bot bot = question -> {
            drawn.add(question.random().nextInt());
            return new Index(0);
        };
        Vectors.play(bot, frames(START, ACT, ACT, START, ACT, ACT), 100);
        assertEquals(drawn.subList(0, 2), drawn.subList(2, 4));
        assertTrue(!drawn.get(0).equals(drawn.get(1)));
    }

    /** The bot refuses a referee of another major version, and ends. */
    @Test
    void refusesAnotherMajorVersion() throws IOException {
        Map<String, Object> hello = Map.of("t", "hello", "protocol", List.of(2, 0));
        List<Map<String, Object>> said = Vectors.play(question -> new Index(0), frames(hello, START, ACT), 100);
        assertEquals(1, said.size());
        assertEquals("this bot speaks protocol [1, 0], not [2, 0]", said.get(0).get("text"));
    }

    /** An error about unexpected data names its place. */
    @Test
    void namesThePlaceOfWrongData() {
        Fields view = new Fields("view", Map.of("seat", "first"));
        assertEquals(
                "view.seat: expected an integer of 32 bits, got first",
                assertThrows(ProtocolException.class, () -> view.integer("seat")).getMessage());
        assertEquals(
                "view.hand: expected a list, got no such key",
                assertThrows(ProtocolException.class, () -> view.integers("hand")).getMessage());
    }

    @SafeVarargs
    private static byte[] frames(Map<String, Object>... messages) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        Line line = new Line(InputStream.nullInputStream(), sink);
        for (Map<String, Object> message : messages) {
            line.send(message);
        }
        return sink.toByteArray();
    }
}

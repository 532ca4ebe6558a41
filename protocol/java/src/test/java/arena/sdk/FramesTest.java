package arena.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The frames and msgpack values that a bot can receive. */
class FramesTest {
    /** A good frame has the message in the vectors, and keeps it when it is sent again. */
    @TestFactory
    Stream<DynamicTest> readsAndWrites() {
        return vectors("ok").map(vector -> DynamicTest.dynamicTest(vector.get("name").getAsString(), () -> {
            Object expected = Vectors.plain(vector.get("message"));
            List<Map<String, Object>> messages = Vectors.messages(Vectors.frame(vector));
            assertEquals(List.of(expected), messages);
            ByteArrayOutputStream sink = new ByteArrayOutputStream();
            new Line(InputStream.nullInputStream(), sink).send(messages.get(0));
            assertEquals(List.of(expected), Vectors.messages(sink.toByteArray()));
        }));
    }

    /** Bytes that are not a frame of the protocol are refused, with a text that says so. */
    @TestFactory
    Stream<DynamicTest> refuses() {
        // The others are wrong messages of a bot in right frames.
        return vectors("protocol")
                .filter(vector -> vector.get("error").getAsString().startsWith("expected "))
                .map(vector -> DynamicTest.dynamicTest(vector.get("name").getAsString(), () -> {
                    var refused = assertThrows(ProtocolException.class, () -> Vectors.messages(Vectors.frame(vector)));
                    assertTrue(refused.getMessage().matches("(?s)(expected|a frame of \\d+ bytes).*"), refused.getMessage());
                }));
    }

    /** A duplicate key is refused, whichever value comes first. */
    @Test
    void refusesAKeyTwice() {
        byte[] frame = {0, 0, 0, 7, (byte) 0x82, (byte) 0xa1, 't', (byte) 0xc0, (byte) 0xa1, 't', 1};
        assertThrows(ProtocolException.class, () -> Vectors.messages(frame));
    }

    /** When the connection is closed within a frame, there is no further message. */
    @TestFactory
    Stream<DynamicTest> endsWithTheLine() {
        return vectors("incomplete").map(vector -> DynamicTest.dynamicTest(vector.get("name").getAsString(), () -> {
            InputStream source = new ByteArrayInputStream(Vectors.frame(vector));
            assertNull(new Line(source, OutputStream.nullOutputStream()).receive());
        }));
    }

    /** A message that is too large is not sent at all. */
    @Test
    void sendsNoLargeMessage() {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        Line line = new Line(InputStream.nullInputStream(), sink);
        Map<String, String> large = Map.of("note", "x".repeat(Line.LARGEST));
        assertThrows(ProtocolException.class, () -> line.send(large));
        assertEquals(0, sink.size());
    }

    private static Stream<JsonObject> vectors(String verdict) {
        return Vectors.array("frames.json").stream()
                .filter(vector -> vector.get("verdict").getAsString().equals(verdict));
    }
}

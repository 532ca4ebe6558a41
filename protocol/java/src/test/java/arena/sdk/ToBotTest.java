package arena.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** How a bot handles each message from the referee. */
class ToBotTest {
    /** A bot reads every message, in whatever pieces it comes, and answers only hello and act. */
    @TestFactory
    Stream<DynamicTest> answersWhatMustBeAnswered() {
        List<JsonObject> vectors = Vectors.array("to_bot.json");
        byte[] start = vectors.stream()
                .filter(vector -> vector.get("name").getAsString().equals("start"))
                .map(Vectors::frame)
                .findFirst()
                .orElseThrow();
        return vectors.stream().map(vector -> DynamicTest.dynamicTest(vector.get("name").getAsString(), () -> {
            ByteArrayOutputStream frames = new ByteArrayOutputStream();
            frames.write(start);
            frames.write(Vectors.frame(vector));
            assertEquals(List.of(Vectors.plain(vector.get("message"))), Vectors.messages(Vectors.frame(vector)));
            JsonElement answer = vector.get("answer");
            List<Object> expected = answer.isJsonNull() ? List.of() : List.of(answer.getAsString());
            for (int piece : new int[] {1, 3, 1 << 20}) {
                List<Map<String, Object>> said = Vectors.play(question -> new Index(0), frames.toByteArray(), piece);
                assertEquals(expected, said.stream().map(message -> message.get("t")).toList());
            }
        }));
    }
}

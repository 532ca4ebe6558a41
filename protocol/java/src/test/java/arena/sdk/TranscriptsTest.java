package arena.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import arena.sdk.gargon.View;
import com.google.gson.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import rule.RuleBot;

/** Whole games: the answers of the rule bot, and the typed views, actions and events. */
class TranscriptsTest {
    private static final Set<String> PRIVATE = Set.of("card", "cards");

    /** The rule bot gives all answers of all seats, in their order. */
    @TestFactory
    Stream<DynamicTest> playsTheRuleBotsGames() throws IOException {
        return Vectors.transcripts().stream().flatMap(path -> {
            JsonObject transcript = Vectors.read(path).getAsJsonObject();
            return IntStream.range(0, transcript.get("seats").getAsInt())
                    .mapToObj(seat -> DynamicTest.dynamicTest(path.getFileName() + ", seat " + seat, () -> {
                        List<Map<String, Object>> said =
                                Vectors.play(new RuleBot(), bytes(transcript, seat, "referee"), 1 << 16);
                        assertEquals(Vectors.messages(bytes(transcript, seat, "bot")), said);
                    }));
        });
    }

    /** The types have every key of every view, rule and event, and keep every action unchanged. */
    @TestFactory
    Stream<DynamicTest> typesLackNothing() throws IOException {
        return Vectors.transcripts().stream()
                .map(path -> DynamicTest.dynamicTest(path.getFileName().toString(), () -> types(path)));
    }

    private static void types(Path path) throws IOException {
        JsonObject transcript = Vectors.read(path).getAsJsonObject();
        boolean gargon = transcript.get("game").getAsString().equals("gargon");
        Set<Class<?>> met = new HashSet<>();
        for (int seat = 0; seat < transcript.get("seats").getAsInt(); seat++) {
            for (Map<String, Object> message : Vectors.messages(bytes(transcript, seat, "referee"))) {
                Fields fields = new Fields("", message);
                if (fields.text("t").equals("start")) {
                    Start start = new Start(fields);
                    same(start.rules(), gargon ? arena.sdk.gargon.Rules.of(start) : arena.sdk.castors.Rules.of(start));
                }
                if (fields.text("t").equals("act")) {
                    Fields view = fields.fields("view");
                    same(view.all(), gargon ? View.of(view) : arena.sdk.castors.View.of(view));
                    for (List<Object> data : fields.lists("actions")) {
                        Action plain = Action.of(data);
                        Action move = gargon ? arena.sdk.gargon.Move.of(plain) : arena.sdk.castors.Move.of(plain);
                        assertEquals(data, parts(move));
                    }
                }
                if (fields.has("events")) {
                    for (Map<String, Object> data : fields.maps("events")) {
                        Record event =
                                (Record) (gargon ? arena.sdk.gargon.Event.of(data) : arena.sdk.castors.Event.of(data));
                        met.add(event.getClass());
                        Map<String, Object> rest = new java.util.HashMap<>(data);
                        assertEquals(name(event.getClass().getSimpleName()), rest.remove("event"));
                        same(rest, event);
                    }
                }
            }
        }
        assertEquals(Set.of(), met.stream().filter(type -> type.getSimpleName().equals("Other")).collect(Collectors.toSet()));
    }

    private static List<Object> parts(Action action) {
        List<Object> parts = new ArrayList<>(List.of(action.verb()));
        parts.addAll(action.numbers());
        return parts;
    }

    /** The record has exactly these keys and values; an absent private key is null. */
    private static void same(Map<String, Object> data, Record typed) {
        Map<String, Object> held = Arrays.stream(typed.getClass().getRecordComponents())
                .filter(component -> data.containsKey(name(component.getName())) || value(typed, component) != null
                        || !PRIVATE.contains(component.getName()))
                .collect(java.util.HashMap::new, (map, component) -> map.put(name(component.getName()), value(typed, component)), Map::putAll);
        assertEquals(data, held);
    }

    private static Object value(Record typed, RecordComponent component) {
        try {
            return component.getAccessor().invoke(typed);
        } catch (ReflectiveOperationException exception) {
            throw new IllegalStateException(exception);
        }
    }

    /** The name in the data of a name in Java. */
    private static String name(String camel) {
        return (camel.substring(0, 1).toLowerCase() + camel.substring(1)).replaceAll("([A-Z])", "_$1").toLowerCase();
    }

    private static byte[] bytes(JsonObject transcript, int seat, String from) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (JsonObject frame : Vectors.objects(transcript.getAsJsonArray("frames"))) {
            if (frame.get("seat").getAsInt() == seat && frame.get("from").getAsString().equals(from)) {
                bytes.writeBytes(Vectors.frame(frame));
            }
        }
        return bytes.toByteArray();
    }
}

package arena.sdk;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The golden vectors, and lines to play them over. */
final class Vectors {
    private Vectors() {}

    /** The folder of the vectors: beside the SDK, or where the environment says. */
    static Path folder() {
        String told = System.getenv("ARENA_VECTORS");
        return told != null ? Path.of(told) : Path.of(System.getProperty("basedir", "."), "..", "vectors");
    }

    static JsonElement read(Path path) {
        try {
            return JsonParser.parseString(Files.readString(path));
        } catch (IOException exception) {
            throw new IllegalStateException("no vectors; ARENA_VECTORS can say where they are: " + exception, exception);
        }
    }

    static List<JsonObject> array(String name) {
        return objects(read(folder().resolve(name)).getAsJsonArray());
    }

    static List<Path> transcripts() throws IOException {
        try (var paths = Files.list(folder().resolve("transcripts"))) {
            return paths.filter(path -> path.toString().endsWith(".json")).sorted().toList();
        }
    }

    static List<JsonObject> objects(JsonArray array) {
        return array.asList().stream().map(JsonElement::getAsJsonObject).toList();
    }

    static byte[] frame(JsonObject vector) {
        return HexFormat.of().parseHex(vector.get("hex").getAsString());
    }

    /** JSON as the plain data of the SDK. */
    static Object plain(JsonElement json) {
        if (json.isJsonNull()) {
            return null;
        }
        if (json.isJsonArray()) {
            List<Object> list = new ArrayList<>();
            json.getAsJsonArray().forEach(element -> list.add(plain(element)));
            return list;
        }
        if (json.isJsonObject()) {
            Map<String, Object> map = new LinkedHashMap<>();
            json.getAsJsonObject().entrySet().forEach(entry -> map.put(entry.getKey(), plain(entry.getValue())));
            return map;
        }
        var value = json.getAsJsonPrimitive();
        if (value.isString()) {
            return value.getAsString();
        }
        if (value.isBoolean()) {
            return value.getAsBoolean();
        }
        if (value.getAsString().matches("-?\\d+")) {
            long number = value.getAsLong();
            return number == (int) number ? (Object) (int) number : (Object) number;
        }
        return value.getAsDouble();
    }

    /** All messages in these bytes. */
    static List<Map<String, Object>> messages(byte[] bytes) throws IOException {
        Line line = new Line(new ByteArrayInputStream(bytes), OutputStream.nullOutputStream());
        List<Map<String, Object>> messages = new ArrayList<>();
        for (Fields message = line.receive(); message != null; message = line.receive()) {
            messages.add(message.all());
        }
        return messages;
    }

    /** The answers of a bot that is sent these bytes, this many per read. */
    static List<Map<String, Object>> play(Bot bot, byte[] bytes, int piece) throws IOException {
        InputStream source = new ByteArrayInputStream(bytes) {
            @Override
            public int read(byte[] into, int from, int length) {
                return super.read(into, from, Math.min(length, piece));
            }
        };
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        Bot.run(bot, bot.name(), bot.version(), new Line(source, sink));
        return messages(sink.toByteArray());
    }
}

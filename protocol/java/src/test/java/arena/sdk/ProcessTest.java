package arena.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A bot as a process: its pipes, prints and exit. */
class ProcessTest {
    /** What a program ended with: its messages, its stderr, its exit code. */
    private record Ended(List<Map<String, Object>> messages, String stderr, int code) {}

    /** Prints go to stderr, and only frames to stdout; the end of stdin ends the program. */
    @Test
    void keepsPrintsFromStdout() throws Exception {
        Ended ended = run("prints", "hello", "start", "act, with actions");
        assertEquals(List.of("hello", "action"), ended.messages().stream().map(message -> message.get("t")).toList());
        assertTrue(ended.stderr().contains("printed in the hello"), ended.stderr());
        assertTrue(ended.stderr().contains("printed in choose"), ended.stderr());
        assertEquals(0, ended.code());
    }

    /** An exception in choose is reported to the referee with its place, on stderr with its trace. */
    @Test
    void tellsWhyItFails() throws Exception {
        Ended ended = run("fails", "hello", "start", "act, with actions");
        Map<String, Object> last = ended.messages().get(1);
        assertEquals("error", last.get("t"));
        assertTrue(last.get("text").toString().matches(".*nothing to choose at .*BadBot.*"), last.toString());
        assertTrue(ended.stderr().contains("nothing to choose\n\tat arena.sdk.BadBot"), ended.stderr());
        assertTrue(!ended.stderr().contains("arena.sdk.Session"), ended.stderr());
        assertEquals(1, ended.code());
    }

    /** A stack overflow is reported as well. */
    @Test
    void tellsThatTheStackIsFull() throws Exception {
        Ended ended = run("runs deep", "hello", "start", "act, with actions");
        assertTrue(ended.messages().get(1).get("text").toString().contains("StackOverflowError"));
    }

    /** If choose returns null, the error says what was expected. */
    @Test
    void tellsThatThereIsNoAnswer() throws Exception {
        Ended ended = run("says nothing", "hello", "start", "act, with actions");
        assertTrue(ended.messages().get(1).get("text").toString().contains("or its index, got null"));
    }

    private static Ended run(String what, String... names) throws IOException, InterruptedException {
        List<JsonObject> vectors = Vectors.array("to_bot.json");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(java.toString(), "-cp", path, BadBot.class.getName(), what));
        Path log = Files.createTempFile("stderr", ".txt"); // a pipe that nobody reads would fill up
        Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        try (var stdin = process.getOutputStream()) {
            for (String name : names) {
                for (JsonObject vector : vectors) {
                    if (vector.get("name").getAsString().equals(name)) {
                        stdin.write(Vectors.frame(vector));
                    }
                }
            }
        }
        List<Map<String, Object>> messages = Vectors.messages(process.getInputStream().readAllBytes());
        int code = process.waitFor();
        String stderr = Files.readString(log);
        Files.delete(log);
        return new Ended(messages, stderr, code);
    }
}

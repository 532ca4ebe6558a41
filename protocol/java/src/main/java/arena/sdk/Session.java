package arena.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The conversation between the referee and one bot, from hello to bye. */
final class Session {
    private static final List<Integer> VERSION = List.of(1, 0);
    private static final String NO_ANSWER =
            "choose: expected an action such as [\"draw\", 0], or its index, got null";

    private final Bot bot;
    private final String name;
    private final String version;
    private final Line line;
    private Start start;

    Session(Bot bot, String name, String version, Line line) {
        this.bot = bot;
        this.name = name;
        this.version = version;
        this.line = line;
    }

    void run() {
        try {
            Fields message = line.receive();
            while (message != null && handle(message)) {
                message = line.receive();
            }
        } catch (IOException exception) {
            throw new UncheckedIOException("the line to the referee", exception);
        }
    }

    /** Handle a message; false if it was the last one. */
    private boolean handle(Fields message) throws IOException {
        switch (message.get("t") instanceof String t ? t : "") {
            case "act" -> {
                if (start != null) {
                    line.send(action(new Question(message, start)));
                }
            }
            case "start" -> {
                start = new Start(message);
                bot.start(start);
            }
            case "end" -> {
                if (start != null) {
                    bot.end(End.of(message, start));
                }
            }
            case "hello" -> {
                return greet(message.integers("protocol"));
            }
            case "fault" -> bot.fault(Fault.of(message));
            case "bye" -> {
                return false;
            }
            default -> {} // from a later version
        }
        return true;
    }

    private boolean greet(List<Integer> spoken) throws IOException {
        if (!spoken.get(0).equals(VERSION.get(0))) {
            line.send(Map.of("t", "error", "text", "this bot speaks protocol " + VERSION + ", not " + spoken));
            return false;
        }
        Map<String, Object> hello = new LinkedHashMap<>();
        hello.put("t", "hello");
        hello.put("protocol", VERSION);
        hello.put("name", name);
        hello.put("version", version);
        hello.put("actions", bot.wantsActions());
        hello.put("events", bot.wantsEvents());
        line.send(hello);
        return true;
    }

    private Map<String, Object> action(Question question) throws IOException {
        Answer answer = choose(question);
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("t", "action");
        message.put("id", question.id());
        if (answer instanceof Index index) {
            message.put("i", index.at());
        } else if (answer instanceof Action action) {
            List<Object> parts = new ArrayList<>();
            parts.add(action.verb());
            parts.addAll(action.numbers());
            message.put("a", parts);
        }
        if (!question.note().isEmpty()) {
            message.put("note", question.note());
        }
        return message;
    }

    /** The bot has not answered. This has already been reported on stderr and to the referee. */
    static final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unanswered(Throwable cause) {
            super(cause);
        }
    }

    /** Returns the bot's answer. If it fails, prints the reason and sends it to the referee. */
    private Answer choose(Question question) throws IOException {
        try {
            return Objects.requireNonNull(bot.choose(question), NO_ANSWER);
        } catch (RuntimeException | Error failure) {
            StackTraceElement[] trace = ownPart(failure.getStackTrace());
            failure.setStackTrace(trace);
            failure.printStackTrace();
            String where = trace.length > 0 ? " at " + trace[0] : "";
            line.send(Map.of("t", "error", "text", failure + where));
            throw new Unanswered(failure);
        }
    }

    /** Returns the trace down to the bot's choose, as only the end of stderr is kept. */
    private static StackTraceElement[] ownPart(StackTraceElement[] trace) {
        return Arrays.stream(trace)
                .takeWhile(element -> !element.getClassName().equals(Session.class.getName()))
                .toArray(StackTraceElement[]::new);
    }
}

package arena.sdk;

/**
 * A bot: a function from a question to an answer. Override the other methods to keep state, or to
 * know when games begin and end.
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     Bot.run(question -> question.actions().get(0), "first", "1");
 * }
 * }</pre>
 */
@FunctionalInterface
public interface Bot {
    /** Returns an action, or its {@link Index} in {@link Question#actions}. */
    Answer choose(Question question);

    /** The bot's name. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** The bot's version, in any form. */
    default String version() {
        return "";
    }

    /** Whether the bot wants the list of legal actions with every question. */
    default boolean wantsActions() {
        return true;
    }

    /** Whether the bot wants the events with every question. */
    default boolean wantsEvents() {
        return true;
    }

    /** Called when a game begins. */
    default void start(Start start) {}

    /** Called when the bot has failed and is out of the game; by default prints this to stderr. */
    default void fault(Fault fault) {
        System.err.println("fault: " + fault.verdict() + ": " + fault.text());
    }

    /** Called when a game has ended. Nothing of it may influence the next game. */
    default void end(End end) {}

    /** Play over stdin and stdout until the referee ends the conversation. Prints go to stderr. */
    static void run(Bot bot) {
        run(bot, bot.name(), bot.version());
    }

    /** Play under this name and version. */
    static void run(Bot bot, String name, String version) {
        try {
            run(bot, name, version, Line.takeStdio());
        } catch (Session.Unanswered failure) {
            System.exit(1); // even if the bot has other threads
        }
    }

    /** Play over another line, for tests. */
    static void run(Bot bot, String name, String version, Line line) {
        new Session(bot, name, version, line).run();
    }
}

package arena.sdk;

/**
 * A bot: a function from a question to an answer, and more for one that wants to know when games
 * begin and end, or keeps something in mind.
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     Bot.run(question -> question.actions().get(0), "first", "1");
 * }
 * }</pre>
 */
@FunctionalInterface
public interface Bot {
    /** The action, or its {@link Index} in {@link Question#actions}. */
    Answer choose(Question question);

    /** What the bot calls itself. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Its version, in any form. */
    default String version() {
        return "";
    }

    /** Whether it wants the list of legal actions with every question; what it does not want costs no time. */
    default boolean wantsActions() {
        return true;
    }

    /** Whether it wants the events with every question. */
    default boolean wantsEvents() {
        return true;
    }

    /** A game begins. */
    default void start(Start start) {}

    /** The bot has failed, and is out of the game; by default that is said on stderr. */
    default void fault(Fault fault) {
        System.err.println("fault: " + fault.verdict() + ": " + fault.text());
    }

    /** A game has ended; nothing of it may influence the next one. */
    default void end(End end) {}

    /** Play over stdin and stdout until the referee says goodbye or closes the line. Prints go to stderr. */
    static void run(Bot bot) {
        run(bot, bot.name(), bot.version());
    }

    /** Play under this name and version. */
    static void run(Bot bot, String name, String version) {
        try {
            run(bot, name, version, Line.takeStdio());
        } catch (Session.Unanswered failure) {
            System.exit(1); // whatever threads the bot has
        }
    }

    /** Play over another line, as tests do. */
    static void run(Bot bot, String name, String version, Line line) {
        new Session(bot, name, version, line).run();
    }
}

package arena.sdk;

/** A program for tests that prints where it should not, and fails as its argument says. */
final class BadBot {
    private BadBot() {}

    public static void main(String[] args) {
        Line line = Line.takeStdio();
        System.out.println("printed before the hello");
        Bot bot = question -> {
            System.out.println("printed in choose");
            return switch (args[0]) {
                case "fails" -> throw new IllegalStateException("nothing to choose");
                case "runs deep" -> deep(0);
                case "says nothing" -> null;
                default -> new Index(0);
            };
        };
        Bot.run(bot, "bad", "1", line);
    }

    private static Answer deep(int depth) {
        return depth < 0 ? new Index(depth) : deep(depth + 1);
    }
}

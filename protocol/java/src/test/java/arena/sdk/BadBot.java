package arena.sdk;

/** A program for tests that prints to stdout, and fails in the way that its argument names. */
final class BadBot implements Bot {
    private final String what;

    private BadBot(String what) {
        this.what = what;
    }

    public static void main(String[] args) {
        Bot.run(new BadBot(args[0]));
    }

    @Override
    public boolean wantsEvents() {
        System.out.println("printed in the hello");
        return true;
    }

    @Override
    public Answer choose(Question question) {
        System.out.println("printed in choose");
        return switch (what) {
            case "fails" -> throw new IllegalStateException("nothing to choose");
            case "runs deep" -> deep(0);
            case "says nothing" -> null;
            default -> new Index(0);
        };
    }

    private static Answer deep(int depth) {
        return depth < 0 ? new Index(depth) : deep(depth + 1);
    }
}

package arena.sdk;

/** The bot has failed, and is out of the game: the verdict, why, at which decision, and what follows. */
public record Fault(String verdict, String text, long decision, String follows) {
    /** A fault as the referee sends it. */
    public static Fault of(Fields message) {
        return new Fault(
                message.text("verdict"), message.text("text"), message.number("decision"), message.text("follows"));
    }
}

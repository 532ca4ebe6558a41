package arena.sdk;

/** A failure of the bot, which is out of the game: verdict, reason, decision, and consequences. */
public record Fault(String verdict, String text, long decision, String follows) {
    /** A fault as the referee sends it. */
    public static Fault of(Fields message) {
        return new Fault(
                message.text("verdict"), message.text("text"), message.number("decision"), message.text("follows"));
    }
}

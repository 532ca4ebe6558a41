package arena.sdk;

import java.util.List;
import java.util.Map;
import java.util.Random;

/** A decision to make. */
public final class Question {
    private final Fields message;
    private final Start start;
    private final long id;
    private final String kind;
    private final long bank;
    private List<Action> actions;
    private String note = "";

    /** A question as the referee sends it, in the game with this start. */
    public Question(Fields message, Start start) {
        this.message = message;
        this.start = start;
        id = message.number("id");
        kind = message.text("kind");
        bank = message.number("bank");
    }

    /** The number of the question. */
    public long id() {
        return id;
    }

    /** The kind of decision, as the game names it. */
    public String kind() {
        return kind;
    }

    /** What this seat sees, as plain data; the games' packages have a typed {@code View}. */
    public Map<String, Object> view() {
        return message.map("view");
    }

    /** What this seat sees, for typed views. */
    public Fields viewFields() {
        return message.fields("view");
    }

    /** The legal actions, in the game's order; none if the bot did not ask for them. */
    public List<Action> actions() {
        if (actions == null) {
            actions = message.has("actions") ? new Actions(message) : List.of();
        }
        return actions;
    }

    /** What happened since the bot was last asked, as plain data; the games' packages have a typed {@code Event}. */
    public List<Map<String, Object>> events() {
        return message.has("events") ? message.maps("events") : List.of();
    }

    /** The number of the first event, or of the next event if there are none. */
    public long firstEvent() {
        return message.has("first_event") ? message.number("first_event") : 0;
    }

    /** Milliseconds that are left in the bank. */
    public long bank() {
        return bank;
    }

    /** How the game began. */
    public Start start() {
        return start;
    }

    /** The random generator of this game. */
    public Random random() {
        return start.random();
    }

    /** The remark that is sent with the answer, "" for none. */
    public String note() {
        return note;
    }

    /** Sets a remark that replays show with the answer. */
    public void note(String note) {
        this.note = note;
    }
}

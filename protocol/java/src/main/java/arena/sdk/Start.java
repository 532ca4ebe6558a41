package arena.sdk;

import java.util.Map;
import java.util.Random;

/** The start of a game: the game, its rules, and this bot's seat. */
public final class Start {
    private final long number;
    private final String game;
    private final Map<String, Object> rules;
    private final int seat;
    private final int seats;
    private final long seed;
    private final Clock clock;
    private Random random;

    /** Milliseconds: for each decision, for longer ones in a game, and until the hello. */
    public record Clock(long decision, long bank, long start) {}

    /** A start as the referee sends it. */
    public Start(Fields message) {
        number = message.number("number");
        game = message.text("game");
        rules = message.map("rules");
        seat = message.integer("seat");
        seats = message.integer("seats");
        seed = message.number("seed");
        Fields times = message.fields("clock");
        clock = new Clock(times.number("decision"), times.number("bank"), times.number("start"));
    }

    /** The number of the game, from 0. It must not influence how the bot plays. */
    public long number() {
        return number;
    }

    /** The name of the game. */
    public String game() {
        return game;
    }

    /** All options of the game with their values; the games' packages have typed ones. */
    public Map<String, Object> rules() {
        return rules;
    }

    /** This bot's seat, from 0. */
    public int seat() {
        return seat;
    }

    /** How many seats there are. */
    public int seats() {
        return seats;
    }

    /** This bot's own seed for this game, 0 to 2^32 - 1. */
    public long seed() {
        return seed;
    }

    /** The time that the bot has. */
    public Clock clock() {
        return clock;
    }

    /** The random generator of this game; the same seed gives the same numbers. */
    public Random random() {
        if (random == null) {
            random = new Random(seed);
        }
        return random;
    }
}

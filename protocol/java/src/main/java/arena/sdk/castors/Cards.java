package arena.sdk.castors;

import java.util.List;
import java.util.OptionalInt;

/** The cards of Gang de Castors: 0 to 9 are value cards, 10 to 12 the three special cards. */
public final class Cards {
    public static final int NINE = 9;
    public static final int SWAP = 10;
    public static final int PEEK = 11;
    public static final int DRAW = 12;
    /** A card that cannot be seen. */
    public static final int UNKNOWN = -1;
    /** How many cards a row has. */
    public static final int ROW = 4;

    private Cards() {}

    /** The points of a value card; empty for a special or an unknown card. */
    public static OptionalInt value(int card) {
        return card < 0 || isSpecial(card) ? OptionalInt.empty() : OptionalInt.of(card);
    }

    /** Whether this is a swap, peek or draw card. */
    public static boolean isSpecial(int card) {
        return card > NINE;
    }

    /** The name of a card: "5", "swap", or "unknown" for -1. */
    public static String cardName(int card) {
        return switch (card) {
            case UNKNOWN -> "unknown";
            case SWAP -> "swap";
            case PEEK -> "peek";
            case DRAW -> "draw";
            default -> String.valueOf(card);
        };
    }

    /** The probability of each card, for a card from this pool. */
    public static double[] odds(List<Integer> pool) {
        double all = pool.stream().mapToInt(Integer::intValue).sum();
        return pool.stream().mapToDouble(count -> all > 0 ? count / all : 0).toArray();
    }

    /** The mean of the value cards of this pool; 0 if it has none. */
    public static double meanValue(List<Integer> pool) {
        int cards = 0;
        int points = 0;
        for (int value = 0; value <= NINE; value++) {
            cards += pool.get(value);
            points += value * pool.get(value);
        }
        return cards > 0 ? (double) points / cards : 0;
    }
}

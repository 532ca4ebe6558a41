package arena.sdk.castors;

import java.util.OptionalInt;

/** The cards of Gang de Castors: the values 0 to 9 are themselves, above them come three special cards. */
public final class Cards {
    public static final int NINE = 9;
    public static final int SWAP = 10;
    public static final int PEEK = 11;
    public static final int DRAW = 12;
    /** How many kinds of cards there are. */
    public static final int KINDS = 13;
    /** How many cards a row has. */
    public static final int ROW = 4;

    private Cards() {}

    /** The points of a value card; nothing for a special or an unknown one. */
    public static OptionalInt value(int card) {
        return card < 0 || isSpecial(card) ? OptionalInt.empty() : OptionalInt.of(card);
    }

    /** Whether this is a swap, peek or draw card. */
    public static boolean isSpecial(int card) {
        return card > NINE;
    }

    /** A card in words: "5", "swap", or "unknown" for -1. */
    public static String cardName(int card) {
        return switch (card) {
            case -1 -> "unknown";
            case SWAP -> "swap";
            case PEEK -> "peek";
            case DRAW -> "draw";
            default -> String.valueOf(card);
        };
    }
}

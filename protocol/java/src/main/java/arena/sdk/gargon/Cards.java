package arena.sdk.gargon;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Gargon's cards: a card is {@code colour * 16 + value}; the two zeros of a colour are the same number. */
public final class Cards {
    /** The names of the colours 0 to 5. */
    public static final List<String> COLOURS = List.of("white", "blue", "violet", "red", "yellow", "green");

    public static final int HIGHEST = 15;

    private Cards() {}

    /** The colour of a card, 0 to 5. */
    public static int colour(int card) {
        return card >> 4;
    }

    /** The value of a card, 0 to 15. */
    public static int value(int card) {
        return card & 15;
    }

    /** The card of this colour and value. */
    public static int card(int colour, int value) {
        return colour << 4 | value;
    }

    /** The name of a card: "red 9". */
    public static String cardName(int card) {
        return colourName(colour(card)) + " " + value(card);
    }

    /** The name of a colour: "red". */
    public static String colourName(int colour) {
        return COLOURS.get(colour);
    }

    /** The number of copies of this card: two of a 0, one of any other. */
    public static int copies(int card) {
        return value(card) == 0 ? 2 : 1;
    }

    /** The amulets on a card; 0 and the highest cards have none. */
    public static int amulets(int card, Rules rules) {
        int value = value(card);
        return value >= 1 && value <= rules.amulets().size() ? rules.amulets().get(value - 1) : 0;
    }

    /** The number of these cards of each colour. */
    public static int[] perColour(List<Integer> cards) {
        int[] counts = new int[COLOURS.size()];
        for (int card : cards) {
            counts[colour(card)]++;
        }
        return counts;
    }

    /** The shape of a play, most first: two cards of one colour and one of another are [2, 1]. */
    public static List<Integer> shape(List<Integer> cards) {
        List<Integer> shape = new ArrayList<>();
        for (int count : perColour(cards)) {
            if (count > 0) {
                shape.add(count);
            }
        }
        shape.sort(Collections.reverseOrder());
        return shape;
    }
}

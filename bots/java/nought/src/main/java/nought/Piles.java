package nought;

import arena.sdk.gargon.Cards;
import arena.sdk.gargon.Event;
import arena.sdk.gargon.View;
import java.util.List;

/** What everybody has won in a game, and which cards nobody has shown; followed event by event. */
final class Piles {
    private static final int COLOURS = Cards.COLOURS.size();

    private final int[][] counts;
    private final int[][] zeros;
    private final int[] shown = new int[COLOURS << 4];

    Piles(int seats) {
        counts = new int[seats][COLOURS];
        zeros = new int[seats][COLOURS];
    }

    void follow(List<Event> events) {
        for (Event event : events) {
            if (event instanceof Event.Won won) {
                won.cards().forEach(card -> win(won.seat(), card));
            } else if (event instanceof Event.Fought fought && fought.winner() >= 0) {
                win(fought.winner(), fought.cards().get(fought.seats().indexOf(fought.winner())));
            }
        }
    }

    private void win(int seat, int card) {
        counts[seat][Cards.colour(card)]++;
        zeros[seat][Cards.colour(card)] += Cards.value(card) == 0 ? 1 : 0;
        shown[card]++;
    }

    int zeros(int seat, int colour) {
        return zeros[seat][colour];
    }

    /** How many more cards of a colour this seat has won than the best of the others. */
    int lead(int seat, int colour) {
        int best = 0;
        for (int other = 0; other < counts.length; other++) {
            best = other == seat ? best : Math.max(best, counts[other][colour]);
        }
        return counts[seat][colour] - best;
    }

    /** How many of each card may be in the hands of others or in the stacks. */
    int[] hidden(View view) {
        int[] left = new int[shown.length];
        for (int card = 0; card < left.length; card++) {
            left[card] = Cards.copies(card) - shown[card];
        }
        view.discards().forEach(card -> left[card]--);
        view.hand().forEach(card -> left[card]--);
        return left;
    }
}

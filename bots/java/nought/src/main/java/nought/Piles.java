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

    /** How many of a card may be in the hands of others or in the stacks. */
    int hidden(int card, View view) {
        int left = Cards.copies(card) - shown[card];
        for (int seen : view.discards()) {
            left -= seen == card ? 1 : 0;
        }
        for (int own : view.hand()) {
            left -= own == card ? 1 : 0;
        }
        return Math.max(left, 0);
    }

    /** The chance that a hidden card of the same colour is lower than this one. */
    double beats(int card, View view) {
        double lower = 0;
        double all = 0;
        for (int value = 0; value <= Cards.HIGHEST; value++) {
            int count = hidden(Cards.card(Cards.colour(card), value), view);
            all += count;
            lower += value < Cards.value(card) ? count : 0;
        }
        return all > 0 ? lower / all : 1;
    }
}

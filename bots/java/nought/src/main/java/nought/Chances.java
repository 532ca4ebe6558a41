package nought;

import arena.sdk.gargon.Cards;
import arena.sdk.gargon.View;
import java.util.List;

/**
 * How the battles of one play may end. Where the most cards that an opponent has in a colour are fewer
 * than ours, the lower of ours wins alone after the first battle: so a second card covers a zero.
 */
final class Chances {
    private static final double JOINS = 0.4; // how likely a seat that has yet to play chooses a colour that it holds
    private static final double JOINS_TWICE = 0.3; // of those, how likely with two cards where the shape has two
    private static final double LOST = 0.6; // a lost card is replaced by another
    private static final double SPENT = 0.8; // a card in hand is worth as much for later

    private final View view;
    private final Worth worth;
    private final double[] beats = new double[Cards.COLOURS.size() << 4];
    private final double[][] joins;

    Chances(View view, Piles piles, Worth worth) {
        this.view = view;
        this.worth = worth;
        int[] hidden = piles.hidden(view);
        for (int colour = 0; colour < Cards.COLOURS.size(); colour++) {
            compare(colour, hidden);
        }
        joins = new double[view.seats()][Cards.COLOURS.size()];
        List<Integer> after = view.seatsAfter();
        for (int seat = 0; seat < view.seats(); seat++) {
            for (int colour = 0; colour < Cards.COLOURS.size() && seat != view.seat(); colour++) {
                boolean may = after.contains(seat) && view.hands().get(seat).get(colour) > 0;
                joins[seat][colour] = view.played().get(seat).get(colour) > 0 ? 1 : may ? JOINS : 0;
            }
        }
    }

    /** The chance of each card of a colour to be higher than a hidden one. */
    private void compare(int colour, int[] hidden) {
        double all = 0;
        for (int value = 0; value <= Cards.HIGHEST; value++) {
            int card = Cards.card(colour, value);
            beats[card] = all;
            all += Math.max(hidden[card], 0);
        }
        for (int value = 0; value <= Cards.HIGHEST; value++) {
            int card = Cards.card(colour, value);
            beats[card] = all > 0 ? beats[card] / all : 1;
        }
    }

    /** The points that a play may bring, less what its cards were worth in hand. */
    double expect(List<Integer> cards) {
        int[] counts = Cards.perColour(cards);
        boolean pairs = false;
        for (int count : counts) {
            pairs |= count == 2;
        }
        double sum = -SPENT * cards.size();
        for (int colour = 0; colour < counts.length; colour++) {
            if (counts[colour] > 0) {
                sum += expect(cards, colour, pairs);
            }
        }
        return sum;
    }

    private double expect(List<Integer> cards, int colour, boolean pairs) {
        int low = -1;
        int high = -1;
        for (int card : cards) {
            if (Cards.colour(card) == colour) {
                low = high >= 0 ? Math.min(high, card) : low;
                high = Math.max(high, card);
            }
        }
        double nobody = 1; // no opponent fights in this colour
        double single = 1; // no opponent has two cards in it
        double wins = 1; // the high card wins if somebody fights
        for (int seat = 0; seat < joins.length; seat++) {
            double joining = joins[seat][colour];
            nobody *= 1 - joining;
            single *= 1 - twice(seat, colour, pairs);
            wins *= 1 - joining + joining * beats[high];
        }
        double highWins = Cards.value(high) == 0 ? nobody : wins;
        double sum = highWins * worth.won(high) + (1 - highWins) * LOST;
        if (low >= 0) {
            double lowWins = single + (1 - single) * (Cards.value(low) == 0 ? 0 : beats[low]);
            sum += lowWins * worth.won(low) + (1 - lowWins) * LOST;
        }
        return sum;
    }

    private double twice(int seat, int colour, boolean pairs) {
        int played = view.played().get(seat).get(colour);
        if (seat == view.seat() || played > 0) {
            return seat != view.seat() && played > 1 ? 1 : 0;
        }
        return pairs && view.hands().get(seat).get(colour) > 1 ? joins[seat][colour] * JOINS_TWICE : 0;
    }
}

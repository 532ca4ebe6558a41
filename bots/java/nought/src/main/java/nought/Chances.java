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
    private final Piles piles;
    private final List<Integer> cards;
    private final boolean pairs;

    Chances(View view, Piles piles, List<Integer> cards) {
        this.view = view;
        this.piles = piles;
        this.cards = cards;
        this.pairs = Cards.shape(cards).get(0) == 2;
    }

    /** The points that the play may bring, less what its cards were worth in hand. */
    double expect(Worth worth) {
        double sum = -SPENT * cards.size();
        for (int colour = 0; colour < Cards.COLOURS.size(); colour++) {
            int of = colour;
            List<Integer> own = cards.stream().filter(card -> Cards.colour(card) == of).sorted().toList();
            if (!own.isEmpty()) {
                sum += expect(own, colour, worth);
            }
        }
        return sum;
    }

    private double expect(List<Integer> own, int colour, Worth worth) {
        int low = own.get(0);
        int high = own.get(own.size() - 1);
        double nobody = 1; // no opponent fights in this colour
        double single = 1; // no opponent has two cards in it
        double wins = 1; // the high card wins if somebody fights
        for (int seat = 0; seat < view.seats(); seat++) {
            if (seat == view.seat()) {
                continue;
            }
            double joins = joins(seat, colour);
            double twice = twice(seat, colour, joins);
            nobody *= 1 - joins;
            single *= 1 - twice;
            wins *= 1 - joins + joins * piles.beats(high, view);
        }
        double highWins = Cards.value(high) == 0 ? nobody : Math.max(nobody, wins);
        double sum = highWins * worth.won(high) + (1 - highWins) * LOST;
        if (own.size() == 2) {
            double lowWins = single + (1 - single) * (Cards.value(low) == 0 ? 0 : piles.beats(low, view));
            sum += lowWins * worth.won(low) + (1 - lowWins) * LOST;
        }
        return sum;
    }

    private double joins(int seat, int colour) {
        if (view.played().get(seat).get(colour) > 0) {
            return 1;
        }
        return view.seatsAfter().contains(seat) && view.hands().get(seat).get(colour) > 0 ? JOINS : 0;
    }

    private double twice(int seat, int colour, double joins) {
        if (view.played().get(seat).get(colour) > 0) {
            return view.played().get(seat).get(colour) > 1 ? 1 : 0;
        }
        return pairs && view.hands().get(seat).get(colour) > 1 ? joins * JOINS_TWICE : 0;
    }
}

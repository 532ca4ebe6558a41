package nought;

import arena.sdk.gargon.Cards;
import arena.sdk.gargon.Move;
import arena.sdk.gargon.Rules;
import arena.sdk.gargon.View;

/** What cards are worth to this seat at one moment of a game. */
final class Worth {
    private static final int COLOURS = Cards.COLOURS.size();
    private static final double ZERO_IN_HAND = 0.35; // of the amulets of its colour, for each
    private static final double ZERO_TO_COME = 0.1;
    private static final double AMULETS_TO_COME = 5; // what a zero may still double
    private static final double[] MAJORITY = {1.5, 3, 4.5, 4.5, 3, 1.5}; // by the lead, from -3 to 2
    private static final double PASS = 2.5;
    private static final double DRAWN = 0.25;

    private final View view;
    private final Rules rules;
    private final Piles piles;
    private final double[] factor = new double[COLOURS];
    private final double[] amulets = new double[COLOURS];

    Worth(View view, Rules rules, Piles piles) {
        this.view = view;
        this.rules = rules;
        this.piles = piles;
        for (int card : view.ownWon()) {
            amulets[Cards.colour(card)] += Cards.amulets(card, rules);
        }
        int[] hidden = piles.hidden(view);
        for (int colour = 0; colour < COLOURS; colour++) {
            int zero = Cards.card(colour, 0);
            long inHand = view.hand().stream().filter(card -> card == zero).count();
            factor[colour] = (1 << piles.zeros(view.seat(), colour))
                    * (1 + ZERO_IN_HAND * inHand + ZERO_TO_COME * Math.max(hidden[zero], 0));
        }
    }

    /** The points that a won card brings. */
    double won(int card) {
        int colour = Cards.colour(card);
        int lead = Math.max(-3, Math.min(2, piles.lead(view.seat(), colour)));
        double points = MAJORITY[lead + 3];
        if (Cards.value(card) == 0) {
            return points + (amulets[colour] + AMULETS_TO_COME) * (1 << piles.zeros(view.seat(), colour));
        }
        return points + Cards.amulets(card, rules) * factor[colour];
    }

    /** How much a colour matters: cards of it are worth more the higher this is. */
    double colour(int colour) {
        int lead = Math.max(-3, Math.min(2, piles.lead(view.seat(), colour)));
        return MAJORITY[lead + 3] + factor[colour] + 0.2 * amulets[colour];
    }

    /** What passing is worth: cards for later. */
    double drawn(Move.Pass pass) {
        double sum = PASS;
        for (int card = 0; card < pass.first(); card++) {
            sum += DRAWN + 0.02 * colour(view.stacks().get(0).get(card));
        }
        for (int card = 0; card < pass.second(); card++) {
            sum += DRAWN + 0.02 * colour(view.stacks().get(1).get(card));
        }
        return sum;
    }
}

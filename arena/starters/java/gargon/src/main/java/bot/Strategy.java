package bot;

import arena.sdk.Action;
import arena.sdk.Answer;
import arena.sdk.Bot;
import arena.sdk.Index;
import arena.sdk.Question;
import arena.sdk.gargon.Cards;
import arena.sdk.gargon.Move;
import arena.sdk.gargon.Rules;
import arena.sdk.gargon.View;
import java.util.List;

/** A first bot for Gargon: it plays the cards with the highest expected points. */
public final class Strategy implements Bot {
    private static final double MAJORITY = 4; // value of a won card for the bonus for most cards of its colour
    private static final double ZERO = 8; // value of a won 0, as it doubles the amulets of its colour
    private static final double PASS = 1.5; // draw cards rather than play for less than this

    public static void main(String[] args) {
        Bot.run(new Strategy());
    }

    @Override
    public String name() {
        return "my-bot";
    }

    @Override
    public String version() {
        return "1";
    }

    @Override
    public boolean wantsEvents() {
        return false;
    }

    @Override
    public Answer choose(Question question) {
        View view = View.of(question);
        Rules rules = Rules.of(question.start());
        List<Action> actions = question.actions();
        int best = 0;
        double highest = Double.NEGATIVE_INFINITY;
        for (int index = 0; index < actions.size(); index++) {
            double rate = rate(Move.of(actions.get(index)), view, rules);
            if (rate > highest) {
                best = index;
                highest = rate;
            }
        }
        return new Index(best);
    }

    private static double rate(Move move, View view, Rules rules) {
        if (move instanceof Move.Play play) {
            // The value of the cards, each times its chance to win.
            return play.cards().stream()
                    .mapToDouble(card -> worth(card, rules) * chance(card, view))
                    .sum();
        }
        if (move instanceof Move.Pass pass) {
            return PASS + 0.1 * (pass.first() + pass.second());
        }
        if (move instanceof Move.Battle battle) {
            // Fight first in the colour of its highest card.
            return view.ownTable().stream()
                    .filter(card -> Cards.colour(card) == battle.colour())
                    .mapToInt(Cards::value)
                    .max()
                    .orElse(0);
        }
        if (move instanceof Move.Draw draw) {
            // Draw the colour in which most cards were won already.
            int top = view.stacks().get(draw.stack()).get(0);
            return Cards.perColour(view.ownWon())[top];
        }
        throw new IllegalArgumentException("no such move: " + move);
    }

    /** Points that a won card brings: its amulets, and a share of the majority of its colour. */
    private static double worth(int card, Rules rules) {
        int value = Cards.value(card);
        return value == 0 ? ZERO : MAJORITY + Cards.amulets(card, rules);
    }

    /** The probability that a card wins: 1 if it is alone, else higher for higher cards. */
    private static double chance(int card, View view) {
        int colour = Cards.colour(card);
        double rivals = 0;
        for (int seat = 0; seat < view.seats(); seat++) {
            if (seat == view.seat()) {
                continue;
            }
            rivals += view.played().get(seat).get(colour);
            if (view.seatsAfter().contains(seat) && view.hands().get(seat).get(colour) > 0) {
                rivals += 0.5; // it has yet to play, and may choose this colour
            }
        }
        return Math.pow(Cards.value(card) / 16.0, rivals);
    }
}

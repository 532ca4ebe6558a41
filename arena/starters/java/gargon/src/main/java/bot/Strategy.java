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

/** A first bot for Gargon: it plays the cards that it can hope to win with. */
public final class Strategy implements Bot {
    private static final double MAJORITY = 4; // what a won card is worth towards the bonus for most cards of its colour
    private static final double ZERO = 8; // what a won 0 is worth, because it doubles the amulets of its colour
    private static final double PASS = 1.5; // plays that are worth less than this are not better than drawing cards

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
            // What the cards are worth, each times the chance that it wins.
            return play.cards().stream()
                    .mapToDouble(card -> worth(card, rules) * chance(card, view))
                    .sum();
        }
        if (move instanceof Move.Pass pass) {
            return PASS + 0.1 * (pass.first() + pass.second());
        }
        if (move instanceof Move.Battle battle) {
            // Fight first where the own card is the highest.
            return view.ownTable().stream()
                    .filter(card -> Cards.colour(card) == battle.colour())
                    .mapToInt(Cards::value)
                    .max()
                    .orElse(0);
        }
        if (move instanceof Move.Draw draw) {
            // Draw the colour of which most cards were won already.
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

    /** How likely a card wins: alone surely, against others the higher it is. */
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

package nought;

import arena.sdk.Action;
import arena.sdk.Answer;
import arena.sdk.Bot;
import arena.sdk.Index;
import arena.sdk.Question;
import arena.sdk.Start;
import arena.sdk.gargon.Cards;
import arena.sdk.gargon.Event;
import arena.sdk.gargon.Move;
import arena.sdk.gargon.Rules;
import arena.sdk.gargon.View;
import java.util.List;

/**
 * Plays Gargon for zeros. Amulets are worth more where a zero is in hand or still to come, and no more
 * than what is printed where others have won the zeros; a zero is worth what it doubles.
 */
public final class Nought implements Bot {
    private Rules rules;
    private Piles piles;

    public static void main(String[] args) {
        Bot.run(new Nought(), "nought", "1");
    }

    @Override
    public void start(Start start) {
        rules = Rules.of(start);
        piles = new Piles(start.seats());
    }

    @Override
    public Answer choose(Question question) {
        View view = View.of(question);
        piles.follow(Event.all(question));
        Worth worth = new Worth(view, rules, piles);
        Chances chances = new Chances(view, piles, worth);
        List<Action> actions = question.actions();
        int best = 0;
        double highest = Double.NEGATIVE_INFINITY;
        for (int index = 0; index < actions.size(); index++) {
            double rate = rate(Move.of(actions.get(index)), view, worth, chances);
            if (rate > highest) {
                best = index;
                highest = rate;
            }
        }
        question.note(note(Move.of(actions.get(best)), highest));
        return new Index(best);
    }

    private static double rate(Move move, View view, Worth worth, Chances chances) {
        if (move instanceof Move.Play play) {
            return chances.expect(play.cards());
        }
        if (move instanceof Move.Pass pass) {
            return worth.drawn(pass);
        }
        if (move instanceof Move.Battle battle) {
            return worth.colour(battle.colour());
        }
        return worth.colour(view.stacks().get(((Move.Draw) move).stack()).get(0));
    }

    private static String note(Move move, double rate) {
        if (move instanceof Move.Play play) {
            boolean zero = play.cards().stream().anyMatch(card -> Cards.value(card) == 0);
            return (zero ? "for a zero, " : "") + tenths(rate) + " points hoped for";
        }
        if (move instanceof Move.Pass) {
            return "no play is worth " + tenths(rate);
        }
        if (move instanceof Move.Battle battle) {
            return Cards.colourName(battle.colour()) + " matters most";
        }
        return "its colour is worth more to me";
    }

    private static double tenths(double points) {
        return Math.round(points * 10) / 10.0;
    }
}

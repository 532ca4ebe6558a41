package elephant;

import arena.sdk.Answer;
import arena.sdk.Bot;
import arena.sdk.Question;
import arena.sdk.Start;
import arena.sdk.castors.Cards;
import arena.sdk.castors.Event;
import arena.sdk.castors.Move;
import arena.sdk.castors.View;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays Gang de Castors from memory: it estimates every row by what its owner took, kept and threw
 * away, counts what the next seat could do with a card before throwing it, and calls when its own row
 * is below the others'.
 */
public final class Elephant implements Bot {
    private static final double FEEDS = 0.4; // what a point for the next seat costs
    private static final double PEEK = 0.6; // what it is worth to know one more of the own cards
    private static final double MARGIN = 5; // waiting helps the others more than a row that is so much lower
    private static final double LOW = 5; // a row that is worth calling with whatever the others have

    private Memory memory;

    public static void main(String[] args) {
        Bot.run(new Elephant(), "elephant", "1");
    }

    @Override
    public boolean wantsActions() {
        return false;
    }

    @Override
    public void start(Start start) {
        memory = new Memory(start.seats());
    }

    @Override
    public Answer choose(Question question) {
        View view = View.of(question);
        memory.follow(Event.all(question));
        if (question.kind().equals("call")) {
            return call(view, question);
        }
        Choice best = question.kind().equals("turn") ? turn(view) : use(view, view.drawn());
        question.note(best.why());
        return best.move();
    }

    /** A move, the points that it saves, and why. */
    private record Choice(Move move, double saves, String why) {
        static Choice best(List<Choice> choices) {
            return choices.stream().reduce((one, other) -> other.saves > one.saves ? other : one).orElseThrow();
        }
    }

    private Move call(View view, Question question) {
        double mine = memory.sum(view, view.seat());
        double lowest = Double.POSITIVE_INFINITY;
        for (int seat = 0; seat < view.seats(); seat++) {
            if (seat != view.seat()) {
                lowest = Math.min(lowest, memory.sum(view, seat));
            }
        }
        question.note(tenths(mine) + " points, the best of the others " + tenths(lowest));
        return mine <= LOW || mine + MARGIN < lowest ? new Move.Call() : new Move.Wait();
    }

    private Choice turn(View view) {
        int open = view.topDiscard();
        List<Choice> choices = new ArrayList<>();
        choices.add(new Choice(new Move.Draw(), drawing(view), "nothing to take"));
        for (int position = 0; position < Cards.ROW; position++) {
            double saves = exchange(view, open, position);
            choices.add(new Choice(new Move.Take(position), saves, "the open " + open + " is lower"));
        }
        return Choice.best(choices);
    }

    /** The points that a card from the pile may save. */
    private double drawing(View view) {
        double[] odds = Cards.odds(view.pilePool());
        double saves = 0;
        for (int card = 0; card < odds.length; card++) {
            if (odds[card] > 0 && card != Cards.DRAW) {
                saves += odds[card] * use(view, card).saves();
            }
        }
        return saves / (1 - odds[Cards.DRAW]); // a draw card leads to another card
    }

    private Choice use(View view, int card) {
        List<Choice> choices = new ArrayList<>();
        choices.add(new Choice(new Move.Discard(), -feeds(view, card), "no use for " + Cards.cardName(card)));
        switch (card) {
            case Cards.SWAP -> choices.add(swap(view));
            case Cards.PEEK -> {
                int unknown = view.ownRow().indexOf(Cards.UNKNOWN);
                if (unknown >= 0) {
                    choices.add(new Choice(new Move.Peek(unknown), PEEK, "to know one more"));
                }
            }
            case Cards.DRAW -> choices.add(new Choice(new Move.Draw(), PEEK, "two chances"));
            default -> {
                for (int position = 0; position < Cards.ROW; position++) {
                    double saves = exchange(view, card, position);
                    choices.add(new Choice(new Move.Keep(position), saves, "better than what lies there"));
                }
            }
        }
        Choice best = Choice.best(choices);
        boolean rejects = view.rejectable() && best.move() instanceof Move.Discard;
        return rejects ? new Choice(new Move.Reject(), best.saves(), "the second may be better") : best;
    }

    /** The own card that seems the highest against the one of the others that seems the lowest. */
    private Choice swap(View view) {
        int own = memory.worst(view, view.seat());
        Choice best = null;
        for (int seat = 0; seat < view.seats(); seat++) {
            for (int position = 0; position < Cards.ROW && seat != view.seat(); position++) {
                double saves = memory.points(view, view.seat(), own) - memory.points(view, seat, position);
                if (best == null || saves > best.saves()) {
                    best = new Choice(new Move.Swap(own, seat, position), saves, "seat " + seat + " has a low card there");
                }
            }
        }
        return best;
    }

    /** The points that a card saves in the place of an own one, less what the next seat gets from that. */
    private double exchange(View view, int card, int position) {
        int leaves = view.ownRow().get(position);
        double points = memory.points(view, view.seat(), position);
        double fed = leaves == Cards.UNKNOWN ? feeds(view, (int) Math.round(points)) : feeds(view, leaves);
        return points - card - fed;
    }

    /** What it costs that the next seat can take this card. */
    private double feeds(View view, int card) {
        int next = (view.seat() + 1) % view.seats();
        if (Cards.isSpecial(card) || next == view.caller()) {
            return 0;
        }
        double worst = memory.points(view, next, memory.worst(view, next));
        return FEEDS * Math.max(0, worst - card);
    }

    private static double tenths(double points) {
        return Math.round(points * 10) / 10.0;
    }
}

package bot;

import arena.sdk.Answer;
import arena.sdk.Bot;
import arena.sdk.Question;
import arena.sdk.castors.Cards;
import arena.sdk.castors.Move;
import arena.sdk.castors.View;

/** A first bot for Gang de Castors: it keeps low cards and calls when its row is low. */
public final class Strategy implements Bot {
    private static final double UNKNOWN = 5; // the mean points of an unknown card
    private static final double GAIN = 1; // exchange only if it saves more points than this
    private static final double LOW = 10; // call with a row of at most this many points

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
    public boolean wantsActions() {
        return false;
    }

    @Override
    public boolean wantsEvents() {
        return false;
    }

    @Override
    public Answer choose(Question question) {
        View view = View.of(question);
        double[] row = view.ownRow().stream().mapToDouble(Strategy::worth).toArray();
        int worst = 0;
        double sum = 0;
        for (int position = 0; position < row.length; position++) {
            sum += row[position];
            if (row[position] > row[worst]) {
                worst = position;
            }
        }
        return switch (question.kind()) {
            case "call" -> sum <= LOW ? new Move.Call() : new Move.Wait();
            case "turn" -> row[worst] - view.topDiscard() > UNKNOWN / 2 ? new Move.Take(worst) : new Move.Draw();
            default -> use(view, row, worst);
        };
    }

    /** Returns how to use the drawn card. */
    private static Move use(View view, double[] row, int worst) {
        int card = view.drawn();
        switch (card) {
            case Cards.SWAP -> {
                return row[worst] > UNKNOWN ? swapForLow(view, worst) : new Move.Discard();
            }
            case Cards.PEEK -> {
                int unknown = view.ownRow().indexOf(Cards.UNKNOWN);
                return unknown >= 0 ? new Move.Peek(unknown) : new Move.Discard();
            }
            case Cards.DRAW -> {
                return new Move.Draw();
            }
            default -> {
                if (row[worst] - card > GAIN) {
                    return new Move.Keep(worst);
                }
                return view.rejectable() ? new Move.Reject() : new Move.Discard();
            }
        }
    }

    /** Swaps for a card that another seat has drawn and kept, as it may be low. */
    private static Move swapForLow(View view, int worst) {
        for (int seat = 0; seat < view.seats(); seat++) {
            for (int position = 0; position < Cards.ROW; position++) {
                int card = view.rows().get(seat).get(position);
                boolean low = card < 0 ? view.kept().get(seat).get(position) : card < UNKNOWN / 2;
                if (seat != view.seat() && low) {
                    return new Move.Swap(worst, seat, position);
                }
            }
        }
        return new Move.Discard();
    }

    /** The points of a card; the mean if they are unknown. */
    private static double worth(int card) {
        return Cards.value(card).orElse((int) UNKNOWN);
    }
}

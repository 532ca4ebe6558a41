package arena.sdk.gargon;

import arena.sdk.Action;
import arena.sdk.ProtocolException;
import arena.sdk.Question;
import java.util.List;

/** Gargon's actions. */
public sealed interface Move extends Action {
    /** Put one to three cards of your hand before you, face down. */
    record Play(List<Integer> cards) implements Move {
        public Play(int... cards) {
            this(java.util.Arrays.stream(cards).boxed().toList());
        }

        @Override
        public String verb() {
            return "play";
        }

        @Override
        public List<Integer> numbers() {
            return cards;
        }
    }

    /** Pass, and draw these numbers of cards from the stacks. */
    record Pass(int first, int second) implements Move {
        @Override
        public String verb() {
            return "pass";
        }

        @Override
        public List<Integer> numbers() {
            return List.of(first, second);
        }
    }

    /** Fight in this colour. */
    record Battle(int colour) implements Move {
        @Override
        public String verb() {
            return "battle";
        }

        @Override
        public List<Integer> numbers() {
            return List.of(colour);
        }
    }

    /** Draw the top card of this stack for one that was lost. */
    record Draw(int stack) implements Move {
        @Override
        public String verb() {
            return "draw";
        }

        @Override
        public List<Integer> numbers() {
            return List.of(stack);
        }
    }

    /** The typed form of an action. */
    static Move of(Action action) {
        return switch (action.verb()) {
            case "play" -> new Play(action.numbers());
            case "pass" -> new Pass(action.number(0), action.number(1));
            case "battle" -> new Battle(action.number(0));
            case "draw" -> new Draw(action.number(0));
            default -> throw new ProtocolException("expected an action of Gargon, got " + action);
        };
    }

    /** The legal actions of a question. */
    static List<Move> all(Question question) {
        return question.actions().stream().map(Move::of).toList();
    }
}

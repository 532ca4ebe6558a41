package arena.sdk.castors;

import arena.sdk.Action;
import arena.sdk.ProtocolException;
import arena.sdk.Question;
import java.util.List;

/** The actions of Gang de Castors. */
public sealed interface Move extends Action {
    /** Draw from the pile, or play the draw card. */
    record Draw() implements Move {
        @Override
        public String verb() {
            return "draw";
        }
    }

    /** Put the top discard into your row at this position. */
    record Take(int position) implements Move {
        @Override
        public String verb() {
            return "take";
        }

        @Override
        public List<Integer> numbers() {
            return List.of(position);
        }
    }

    /** Put the drawn card into your row at this position. */
    record Keep(int position) implements Move {
        @Override
        public String verb() {
            return "keep";
        }

        @Override
        public List<Integer> numbers() {
            return List.of(position);
        }
    }

    /** Play the swap card: your card at a position against any card of another seat. */
    record Swap(int position, int other, int otherPosition) implements Move {
        @Override
        public String verb() {
            return "swap";
        }

        @Override
        public List<Integer> numbers() {
            return List.of(position, other, otherPosition);
        }
    }

    /** Play the peek card: look at your card at this position. */
    record Peek(int position) implements Move {
        @Override
        public String verb() {
            return "peek";
        }

        @Override
        public List<Integer> numbers() {
            return List.of(position);
        }
    }

    /** Put the drawn card on the discards, without effect. */
    record Discard() implements Move {
        @Override
        public String verb() {
            return "discard";
        }
    }

    /** Discard the first card from a draw card, and draw a second one that must be used. */
    record Reject() implements Move {
        @Override
        public String verb() {
            return "reject";
        }
    }

    /** Call the last round. */
    record Call() implements Move {
        @Override
        public String verb() {
            return "call";
        }
    }

    /** Play on. */
    record Wait() implements Move {
        @Override
        public String verb() {
            return "wait";
        }
    }

    @Override
    default List<Integer> numbers() {
        return List.of();
    }

    /** The typed form of an action. */
    static Move of(Action action) {
        return switch (action.verb()) {
            case "draw" -> new Draw();
            case "take" -> new Take(action.number(0));
            case "keep" -> new Keep(action.number(0));
            case "swap" -> new Swap(action.number(0), action.number(1), action.number(2));
            case "peek" -> new Peek(action.number(0));
            case "discard" -> new Discard();
            case "reject" -> new Reject();
            case "call" -> new Call();
            case "wait" -> new Wait();
            default -> throw new ProtocolException("expected an action of Gang de Castors, got " + action);
        };
    }

    /** The legal actions of a question. */
    static List<Move> all(Question question) {
        return question.actions().stream().map(Move::of).toList();
    }
}

package elephant;

import arena.sdk.castors.Cards;
import arena.sdk.castors.Event;
import arena.sdk.castors.View;
import java.util.List;

/**
 * What the others' moves have told of their cards: who throws a card away has nothing higher that he
 * knows of, and who keeps one had something higher in its place.
 */
final class Memory {
    private static final int SLACK = 3; // for so little not everybody exchanges

    private int[][] cap; // no card there is likely to be higher
    private boolean[][] known; // to its owner

    Memory(int seats) {
        forget(seats);
    }

    private void forget(int seats) {
        cap = new int[seats][Cards.ROW];
        known = new boolean[seats][Cards.ROW];
        for (int[] row : cap) {
            java.util.Arrays.fill(row, Cards.NINE);
        }
    }

    void follow(List<Event> events) {
        for (Event event : events) {
            if (event instanceof Event.Deal) {
                forget(cap.length);
            } else if (event instanceof Event.Looked looked) {
                looked.positions().forEach(position -> known[looked.seat()][position] = true);
            } else if (event instanceof Event.Peeked peeked) {
                known[peeked.seat()][peeked.position()] = true;
            } else if (event instanceof Event.Took took) {
                put(took.seat(), took.position(), took.card());
            } else if (event instanceof Event.Kept kept) {
                boolean knew = known[kept.seat()][kept.position()] && !Cards.isSpecial(kept.discarded());
                put(kept.seat(), kept.position(), knew ? Math.max(0, kept.discarded() - 1) : Cards.NINE - 3);
            } else if (event instanceof Event.Discarded discarded && !Cards.isSpecial(discarded.card())) {
                for (int position = 0; position < Cards.ROW; position++) {
                    if (known[discarded.seat()][position]) {
                        lower(discarded.seat(), position, discarded.card() + SLACK);
                    }
                }
            } else if (event instanceof Event.Swapped swapped) {
                swap(swapped);
            }
        }
    }

    private void put(int seat, int position, int limit) {
        cap[seat][position] = limit;
        known[seat][position] = true;
    }

    private void lower(int seat, int position, int limit) {
        cap[seat][position] = Math.min(cap[seat][position], limit);
    }

    private void swap(Event.Swapped swapped) {
        int mine = cap[swapped.seat()][swapped.position()];
        cap[swapped.seat()][swapped.position()] = cap[swapped.other()][swapped.otherPosition()];
        cap[swapped.other()][swapped.otherPosition()] = mine;
        known[swapped.seat()][swapped.position()] = false;
        known[swapped.other()][swapped.otherPosition()] = false;
    }

    /** The points to expect of a card: what the view says, less where its owner's moves say so. */
    double points(View view, int seat, int position) {
        if (view.rows().get(seat).get(position) != Cards.UNKNOWN) {
            return view.expectedPoints(seat, position);
        }
        List<Integer> pool = view.pool(seat, position);
        int count = 0;
        int sum = 0;
        for (int value = 0; value <= cap[seat][position]; value++) {
            count += pool.get(value);
            sum += value * pool.get(value);
        }
        return count > 0 ? (double) sum / count : cap[seat][position] / 2.0;
    }

    /** The points to expect of a row. */
    double sum(View view, int seat) {
        double sum = 0;
        for (int position = 0; position < Cards.ROW; position++) {
            sum += points(view, seat, position);
        }
        return sum;
    }

    /** The card of a row that seems the highest. */
    int worst(View view, int seat) {
        int worst = 0;
        for (int position = 1; position < Cards.ROW; position++) {
            if (points(view, seat, position) > points(view, seat, worst)) {
                worst = position;
            }
        }
        return worst;
    }
}

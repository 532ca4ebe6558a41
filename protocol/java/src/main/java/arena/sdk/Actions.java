package arena.sdk;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** The list of legal actions, which can be long. Its length is known without decoding it. */
final class Actions extends AbstractList<Action> implements RandomAccess {
    private final Fields message;
    private final int size;
    private List<List<Object>> lists;

    Actions(Fields message) {
        this.message = message;
        size = message.count("actions");
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Action get(int index) {
        if (lists == null) {
            lists = message.lists("actions");
        }
        return Action.of(lists.get(index));
    }
}

package arena.sdk;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A map that the referee has sent: a message, a view, an event. Each getter checks the type, and
 * throws an error with the place if it is wrong. Getters with a default of null return null for a
 * value that is nil or absent.
 */
public final class Fields {
    private final String place;
    private final Map<String, Object> values;

    /** The fields of a map; errors name it by the place. */
    public Fields(String place, Map<String, Object> values) {
        this.place = place;
        this.values = values;
    }

    /** The whole map as plain data: null, Boolean, Integer or Long, Double, String, List, Map. */
    public Map<String, Object> all() {
        values.keySet().forEach(this::get);
        return Collections.unmodifiableMap(values);
    }

    /** One value as plain data, null if it is nil or absent. */
    public Object get(String key) {
        Object value = values.get(key);
        if (value instanceof Codec.Unread unread) {
            value = unread.read();
            values.put(key, value);
        }
        return value;
    }

    /** Whether the key is present, even if its value is nil. */
    public boolean has(String key) {
        return values.containsKey(key);
    }

    public String text(String key) {
        return get(key) instanceof String text ? text : fail(key, "a text");
    }

    public boolean bool(String key) {
        return get(key) instanceof Boolean truth ? truth : fail(key, "true or false");
    }

    public int integer(String key) {
        return get(key) instanceof Integer number ? number : fail(key, "an integer of 32 bits");
    }

    public long number(String key) {
        Object value = get(key);
        return value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : fail(key, "an integer");
    }

    /** A list of integers. */
    public List<Integer> integers(String key) {
        return listOf(key, get(key), Integer.class, false);
    }

    /** A list of integers, null if it is nil or absent. */
    public List<Integer> integersOrNull(String key) {
        return get(key) == null ? null : integers(key);
    }

    /** An integer, null if it is nil or absent. */
    public Integer integerOrNull(String key) {
        return get(key) == null ? null : Integer.valueOf(integer(key));
    }

    public List<String> texts(String key) {
        return listOf(key, get(key), String.class, false);
    }

    public List<Boolean> bools(String key) {
        return listOf(key, get(key), Boolean.class, false);
    }

    /** A list of lists of integers; a list that is nil is null. */
    public List<List<Integer>> rows(String key) {
        return listsOf(key, Integer.class);
    }

    /** A list of lists of booleans. */
    public List<List<Boolean>> boolRows(String key) {
        return listsOf(key, Boolean.class);
    }

    /** A map. */
    @SuppressWarnings("unchecked") // decoded maps have texts as keys
    public Map<String, Object> map(String key) {
        return get(key) instanceof Map<?, ?> map ? Collections.unmodifiableMap((Map<String, Object>) map) : fail(key, "a map");
    }

    /** The fields of a map. */
    public Fields fields(String key) {
        return new Fields(at(key), map(key));
    }

    /** A list of maps. */
    @SuppressWarnings("unchecked") // decoded maps have texts as keys
    public List<Map<String, Object>> maps(String key) {
        return (List<Map<String, Object>>) (List<?>) listOf(key, get(key), Map.class, false);
    }

    /** The number of elements of a list, without decoding them. */
    int count(String key) {
        return values.get(key) instanceof Codec.Unread unread && unread.isArray() ? unread.count() : lists(key).size();
    }

    /** A list of lists of anything. */
    @SuppressWarnings("unchecked") // every list is a list of objects
    List<List<Object>> lists(String key) {
        return (List<List<Object>>) (List<?>) listOf(key, get(key), List.class, false);
    }

    @SuppressWarnings("unchecked") // the elements have been checked
    private <T> List<List<T>> listsOf(String key, Class<T> type) {
        List<List<T>> lists = (List<List<T>>) (List<?>) listOf(key, get(key), List.class, true);
        for (List<T> list : lists) {
            if (list != null) {
                listOf(key, list, type, false);
            }
        }
        return lists;
    }

    @SuppressWarnings("unchecked") // the elements have been checked
    private <T> List<T> listOf(String key, Object value, Class<T> type, boolean orNull) {
        if (!(value instanceof List<?> list)) {
            return fail(key, "a list");
        }
        for (Object element : list) {
            if (!type.isInstance(element) && !(orNull && element == null)) {
                return fail(key, "a list of which each element is of type " + type.getSimpleName());
            }
        }
        return (List<T>) list;
    }

    private <T> T fail(String key, String expected) {
        String got = has(key) ? String.valueOf(get(key)) : "no such key";
        throw new ProtocolException(at(key) + ": expected " + expected + ", got " + got);
    }

    private String at(String key) {
        return place.isEmpty() ? key : place + "." + key;
    }
}

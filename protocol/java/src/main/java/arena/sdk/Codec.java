package arena.sdk;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/**
 * Converts values to msgpack and back: null, Boolean, Integer (Long if it needs more than 32 bits),
 * Double, String, List, Map.
 */
final class Codec {
    static final int DEEPEST = 16;

    private Codec() {}

    /** Returns the one map in these bytes; its maps and arrays are {@link Unread}. */
    static Map<String, Object> decode(byte[] body) {
        return guarded(() -> {
            MessageUnpacker in = MessagePack.newDefaultUnpacker(body);
            if (body.length == 0 || !in.getNextFormat().getValueType().isMapType()) {
                throw new ProtocolException("expected one msgpack map, got " + kind(body, in));
            }
            int size = in.unpackMapHeader();
            Map<String, Object> map = new LinkedHashMap<>(2 * size(size, body.length, in));
            for (int i = 0; i < size; i++) {
                put(map, key(in), part(in, body));
            }
            if (in.getTotalReadBytes() < body.length) {
                long more = body.length - in.getTotalReadBytes();
                throw new ProtocolException("expected one msgpack map, got " + more + " bytes more");
            }
            return map;
        });
    }

    /** Append a value. */
    static void encode(MessagePacker out, Object value) throws IOException {
        if (value == null) {
            out.packNil();
        } else if (value instanceof String text) {
            out.packString(text);
        } else if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
            out.packLong(((Number) value).longValue());
        } else if (value instanceof Boolean truth) {
            out.packBoolean(truth);
        } else if (value instanceof Double || value instanceof Float) {
            out.packDouble(((Number) value).doubleValue());
        } else if (value instanceof List<?> list) {
            out.packArrayHeader(list.size());
            for (Object element : list) {
                encode(out, element);
            }
        } else if (value instanceof Map<?, ?> map) {
            out.packMapHeader(map.size());
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.packString((String) entry.getKey());
                encode(out, entry.getValue());
            }
        } else {
            throw new ProtocolException("a message cannot hold a value of " + value.getClass());
        }
    }

    /** A map or an array that is decoded on demand, as most answers do not need all of them. */
    record Unread(byte[] body, int from, int to) {
        Object read() {
            return guarded(() -> {
                return value(unpacker(), to - from, 2);
            });
        }

        /** How many elements this array has. */
        int count() {
            return guarded(() -> unpacker().unpackArrayHeader());
        }

        boolean isArray() {
            return guarded(() -> unpacker().getNextFormat().getValueType().isArrayType());
        }

        private MessageUnpacker unpacker() {
            return MessagePack.newDefaultUnpacker(body, from, to - from);
        }
    }

    private static Object part(MessageUnpacker in, byte[] body) throws IOException {
        switch (in.getNextFormat().getValueType()) {
            case ARRAY, MAP -> {
                int from = (int) in.getTotalReadBytes();
                in.skipValue();
                return new Unread(body, from, (int) in.getTotalReadBytes());
            }
            default -> {
                return value(in, body.length, 2);
            }
        }
    }

    private static Object value(MessageUnpacker in, int length, int depth) throws IOException {
        switch (in.getNextFormat().getValueType()) {
            case NIL -> {
                in.unpackNil();
                return null;
            }
            case BOOLEAN -> {
                return in.unpackBoolean();
            }
            case INTEGER -> {
                return integer(in);
            }
            case FLOAT -> {
                return in.unpackDouble();
            }
            case STRING -> {
                return text(in);
            }
            case ARRAY -> {
                expectDepth(depth);
                int size = in.unpackArrayHeader();
                List<Object> list = new ArrayList<>(size(size, length, in));
                for (int i = 0; i < size; i++) {
                    list.add(value(in, length, depth + 1));
                }
                return list;
            }
            case MAP -> {
                expectDepth(depth);
                int size = in.unpackMapHeader();
                Map<String, Object> map = new LinkedHashMap<>(2 * size(size, length, in));
                for (int i = 0; i < size; i++) {
                    put(map, key(in), value(in, length, depth + 1));
                }
                return map;
            }
            default -> throw new ProtocolException(
                    "expected nil, booleans, numbers, texts, arrays and maps, got "
                            + (in.getNextFormat().getValueType().isBinaryType() ? "binary data" : "an extension type"));
        }
    }

    private static Object integer(MessageUnpacker in) throws IOException {
        long number;
        switch (in.getNextFormat()) {
            case UINT64 -> {
                BigInteger large = in.unpackBigInteger();
                if (large.bitLength() > 63) {
                    return large;
                }
                number = large.longValue();
            }
            default -> number = in.unpackLong();
        }
        if (number == (int) number) {
            return (int) number;
        }
        return number;
    }

    private static String text(MessageUnpacker in) throws IOException {
        byte[] bytes = in.readPayload(in.unpackRawStringHeader());
        String text = new String(bytes, StandardCharsets.UTF_8);
        // Invalid UTF-8 is decoded to U+FFFD, but a text may also contain this character.
        if (text.indexOf('\uFFFD') >= 0 && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) {
            throw new ProtocolException("expected texts in UTF-8, got other bytes");
        }
        return text;
    }

    private static String key(MessageUnpacker in) throws IOException {
        if (!in.getNextFormat().getValueType().isStringType()) {
            String got = in.getNextFormat().getValueType().name().toLowerCase();
            throw new ProtocolException("expected texts as keys of maps, got a value of type " + got);
        }
        return text(in);
    }

    private static void put(Map<String, Object> map, String key, Object value) {
        int before = map.size();
        map.put(key, value);
        if (map.size() == before) {
            throw new ProtocolException("expected each key once in a map, got \"" + key + "\" again");
        }
    }

    /** Checks the claimed size of a header before memory is allocated for it. */
    private static int size(int claimed, int length, MessageUnpacker in) {
        if (claimed > length - in.getTotalReadBytes()) {
            throw new ProtocolException("expected one msgpack map, got bytes that are not");
        }
        return claimed;
    }

    private static void expectDepth(int depth) {
        if (depth > DEEPEST) {
            throw new ProtocolException("expected at most " + DEEPEST + " levels of nesting, got more");
        }
    }

    private static String kind(byte[] body, MessageUnpacker in) throws IOException {
        return body.length == 0 ? "no bytes" : "a value of type " + in.getNextFormat().getValueType().name().toLowerCase();
    }

    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T guarded(Reading<T> reading) {
        try {
            return reading.read();
        } catch (IOException | MessagePackException exception) {
            throw new ProtocolException("expected one msgpack map, got bytes that are not: " + exception);
        }
    }
}

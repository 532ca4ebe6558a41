package arena.sdk;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Map;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The connection to the referee: frames over stdin and stdout. Prints go to stderr. */
public final class Line {
    /** The largest body of a frame. */
    public static final int LARGEST = 1 << 20;

    private static final int HEADER = 4;
    private static final int CHUNK = 1 << 13; // up to this size the JVM reads without allocating

    private final InputStream source;
    private final OutputStream sink;
    private final MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
    private byte[] buffer = new byte[CHUNK];
    private int begin; // received bytes that are not used yet are from here
    private int end; // to here

    /** A line over these streams, which should be unbuffered. */
    public Line(InputStream source, OutputStream sink) {
        this.source = source;
        this.sink = sink;
    }

    /** Reserve stdin and stdout for the protocol; later prints go to stderr. */
    public static Line takeStdio() {
        Line line = new Line(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
        System.setIn(InputStream.nullInputStream());
        System.setOut(System.err);
        return line;
    }

    /** Send one message. */
    public void send(Map<String, ?> message) throws IOException {
        packer.clear();
        packer.addPayload(new byte[HEADER]);
        Codec.encode(packer, message);
        byte[] frame = packer.toByteArray();
        int length = frame.length - HEADER;
        if (length > LARGEST) {
            throw new ProtocolException("a message of " + length + " bytes; at most " + LARGEST + " can be sent");
        }
        frame[0] = (byte) (length >>> 24);
        frame[1] = (byte) (length >>> 16);
        frame[2] = (byte) (length >>> 8);
        frame[3] = (byte) length;
        sink.write(frame);
        sink.flush();
    }

    /** Returns the next message, or null if the referee has closed the connection. */
    public Fields receive() throws IOException {
        if (!fill(HEADER)) {
            return null;
        }
        long length = (buffer[begin] & 0xFFL) << 24
                | (buffer[begin + 1] & 0xFF) << 16
                | (buffer[begin + 2] & 0xFF) << 8
                | buffer[begin + 3] & 0xFF;
        if (length > LARGEST) {
            throw new ProtocolException("a frame of " + length + " bytes; at most " + LARGEST + " are allowed");
        }
        if (!fill(HEADER + (int) length)) {
            return null;
        }
        int from = begin + HEADER;
        begin = from + (int) length;
        return new Fields("", Codec.decode(Arrays.copyOfRange(buffer, from, begin)));
    }

    /** Read until this many bytes are there; false if the connection ends before. */
    private boolean fill(int count) throws IOException {
        if (begin == end) {
            begin = 0;
            end = 0;
        }
        if (begin + count > buffer.length) {
            byte[] room = count > buffer.length ? new byte[count] : buffer;
            System.arraycopy(buffer, begin, room, 0, end - begin);
            end -= begin;
            begin = 0;
            buffer = room;
        }
        while (end - begin < count) {
            int wanted = Math.max(Math.min(CHUNK, buffer.length - end), count - (end - begin));
            int got = source.read(buffer, end, wanted);
            if (got < 0) {
                return false;
            }
            end += got;
        }
        return true;
    }
}

package arena.sdk;

/** Bytes that are not a frame of the protocol, or data without what it must hold. */
public class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ProtocolException(String message) {
        super(message);
    }
}

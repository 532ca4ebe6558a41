package arena.sdk;

/** Thrown for bytes that are not a frame of the protocol, or data that lacks required fields. */
public class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ProtocolException(String message) {
        super(message);
    }
}

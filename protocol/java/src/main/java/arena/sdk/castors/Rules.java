package arena.sdk.castors;

import arena.sdk.Fields;
import arena.sdk.Start;

/** The rules of this game: the number of laps after which a deal ends without a call. */
public record Rules(int laps) {
    /** The rules with which a game began. */
    public static Rules of(Start start) {
        return new Rules(new Fields("rules", start.rules()).integer("laps"));
    }
}

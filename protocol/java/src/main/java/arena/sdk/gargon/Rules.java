package arena.sdk.gargon;

import arena.sdk.Fields;
import arena.sdk.Start;
import java.util.List;

/** The rules of this game: whether won cards lie open, and the amulets on the cards of value 1 to 12. */
public record Rules(boolean openWinnings, List<Integer> amulets) {
    /** The rules with which a game began. */
    public static Rules of(Start start) {
        Fields rules = new Fields("rules", start.rules());
        return new Rules(rules.bool("open_winnings"), rules.integers("amulets"));
    }
}

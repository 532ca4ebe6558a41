package rule;

import arena.sdk.Answer;
import arena.sdk.Bot;
import arena.sdk.Index;
import arena.sdk.Question;
import arena.sdk.Start;

/** The rule bot that section 11 of the protocol specifies. */
public final class RuleBot implements Bot {
    private int x;
    private int count;

    public static void main(String[] args) {
        Bot.run(new RuleBot());
    }

    @Override
    public String name() {
        return "rule";
    }

    @Override
    public String version() {
        return "1";
    }

    @Override
    public void start(Start start) {
        x = start.seed() == 0 ? 1 : (int) start.seed();
        count = 0;
    }

    @Override
    public Answer choose(Question question) {
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
        int index = Integer.remainderUnsigned(x, question.actions().size());
        count++;
        return count % 2 == 1 ? new Index(index) : question.actions().get(index);
    }
}

package random;

import arena.sdk.Answer;
import arena.sdk.Bot;
import arena.sdk.Index;
import arena.sdk.Question;

/** Some legal action, by chance. */
public final class RandomBot implements Bot {
    public static void main(String[] args) {
        Bot.run(new RandomBot());
    }

    @Override
    public String name() {
        return "random";
    }

    @Override
    public String version() {
        return "1";
    }

    @Override
    public boolean wantsEvents() {
        return false;
    }

    @Override
    public Answer choose(Question question) {
        return new Index(question.random().nextInt(question.actions().size()));
    }
}

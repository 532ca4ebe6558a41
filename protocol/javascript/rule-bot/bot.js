/** The rule bot that section 11 of the protocol specifies. */

import { Bot, run } from "arena-sdk";

class RuleBot extends Bot {
  name = "rule";
  version = "1";

  start(start) {
    this.x = start.seed || 1;
    this.count = 0;
  }

  choose(question) {
    this.x ^= this.x << 13;
    this.x ^= this.x >>> 17;
    this.x ^= this.x << 5;
    const index = (this.x >>> 0) % question.actions.length;
    this.count += 1;
    return this.count % 2 ? index : question.actions[index];
  }
}

run(new RuleBot());

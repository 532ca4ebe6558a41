/** The random bot: some legal action, by chance. */

import { run } from "arena-sdk";

run(({ actions, random }) => random.below(actions.length), {
  name: "random",
  version: "1",
  events: false,
});

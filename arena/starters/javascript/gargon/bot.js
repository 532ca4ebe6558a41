import { run } from "arena-sdk";

import { choose } from "./strategy.js";

run(choose, { name: "my-bot", version: "1", events: false });

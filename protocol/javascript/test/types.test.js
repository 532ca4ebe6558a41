/** The types match what the referee sends: every question of the transcripts, checked strictly. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { bytes, load, messages, VECTORS } from "./vectors.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OPTIONS = ["--strict", "--module", "nodenext", "--target", "es2022", "--noEmit"];

/** Returns the compiler's messages about a module with this text. */
function compiled(text) {
  const folder = mkdtempSync(join(ROOT, "test", "types-"));
  try {
    writeFileSync(join(folder, "module.mts"), text);
    const tsc = join(ROOT, "node_modules", ".bin", "tsc");
    const words = [...OPTIONS, "--types", "node", join(folder, "module.mts")];
    return spawnSync(tsc, words, { cwd: ROOT }).stdout.toString();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const declared = { View: new Map(), Rules: new Map(), Event: new Map(), Action: new Map() };
for (const name of readdirSync(join(VECTORS, "transcripts"))) {
  const { game, frames } = load(join("transcripts", name));
  const note = (type, value) => {
    const key = JSON.stringify(value);
    declared[type].set(`${game} ${key}`, `{ const it: ${game}.${type} = ${key}; used(it); }`);
  };
  for (const { hex } of frames.filter(({ from }) => from === "referee")) {
    const [message] = messages(bytes(hex));
    if (message.view) note("View", message.view);
    if (message.rules) note("Rules", message.rules);
    for (const event of message.events ?? []) note("Event", event);
    for (const action of message.actions ?? []) note("Action", action);
  }
}
const IMPORTS = `import type * as gargon from "arena-sdk/gargon";
import type * as castors from "arena-sdk/castors";
declare function used(it: unknown): void;
`;

test("all views, rules, events and actions of the transcripts fit the types", () => {
  const lines = Object.values(declared).flatMap((values) => [...values.values()]);
  assert.ok(lines.length > 1000);
  assert.equal(compiled(IMPORTS + lines.join("\n")), "");
});

test("a key that the types lack, or one that is not sent, would be found", () => {
  const lines = [...declared.View.values()];
  const one = lines.find((line) => line.includes("gargon.View"));
  assert.match(compiled(IMPORTS + one.replace('"hand":', '"fist":')), /"fist".* does not exist in type 'View'/);
});

test("a bot in TypeScript is typed by its game and by the kind of decision", () => {
  const bot = `import { Bot, run } from "arena-sdk";
  import * as gargon from "arena-sdk/gargon";
  run<gargon.Question>((question) => {
    if (question.kind === "draw") {
      const stack: number = question.actions[0][1];
      return ["draw", stack];
    }
    const hand: number[] = question.view.hand;
    return question.random.below(hand.length + question.actions.length + gargon.value(hand[0]));
  }, { name: "typed" });
  class Own extends Bot<gargon.Question> {
    choose(question: gargon.Question) { return question.start.rules.amulets[0]; }
  }
  run(new Own());
  run((question) => question.actions[0]);
  `;
  assert.equal(compiled(bot), "");
  assert.match(compiled(bot.replace('"draw")', '"drow")')), /have no overlap|no overlap/);
});

test("the types have all that the program exports", async () => {
  const lines = ["declare function used(it: unknown): void;"];
  for (const [name, from] of [
    ["index", "arena-sdk"],
    ["gargon", "arena-sdk/gargon"],
    ["castors", "arena-sdk/castors"],
  ]) {
    lines.push(`import * as ${name} from "${from}";`);
    const exported = Object.keys(await import(`../src/${name}.js`));
    lines.push(...exported.map((one) => `used(${name}.${one});`));
  }
  assert.equal(compiled(lines.join("\n")), "");
  assert.match(compiled([...lines, "used(gargon.notThere);"].join("\n")), /notThere/);
});

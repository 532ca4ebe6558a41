/** The golden vectors: this SDK reads the referee's messages and writes the right answers. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Bot, Line } from "../src/index.js";
import { BYE, bytes, converse, frame, load, messages, START, VECTORS, withFiles } from "./vectors.js";

class Heard extends Bot {
  heard = [];
  start(start) {
    this.heard.push(["start", start]);
  }
  choose(question) {
    this.heard.push(["act", question]);
    return 0;
  }
  fault(message) {
    this.heard.push(["fault", message]);
  }
  end(end) {
    this.heard.push(["end", end]);
  }
}

for (const entry of load("to_bot.json")) {
  test(`a bot understands the referee: ${entry.name}`, async () => {
    const { t } = entry.message;
    const before = ["hello", "start"].includes(t) ? [] : [frame(START)];
    const bot = new Heard();
    const said = await converse(bot, Buffer.concat([...before, bytes(entry.hex), frame(BYE)]));
    assert.deepEqual(
      said.map((message) => message.t),
      entry.answer === null ? [] : [entry.answer],
    );
    const heard = bot.heard.slice(before.length);
    const wanted = ["start", "act", "fault", "end"].includes(t) ? [t] : [];
    assert.deepEqual(heard.map(([name]) => name), wanted);
    for (const [, told] of heard) {
      for (const [key, value] of Object.entries(entry.message)) {
        const field = key === "first_event" && t !== "fault" ? "firstEvent" : key;
        if (field in told) assert.deepEqual(told[field], value);
      }
    }
  });

  test(`the line hands out what was sent: ${entry.name}`, async () => {
    await withFiles(bytes(entry.hex), (source, sink) => {
      const line = new Line(source, sink);
      assert.deepEqual(line.receive(), entry.message);
      assert.equal(line.receive(), null);
    });
  });
}

for (const entry of load("frames.json").filter((entry) => entry.verdict === "ok")) {
  test(`the line sends what a referee understands: ${entry.name}`, async () => {
    await withFiles(Buffer.alloc(0), (source, sink, said) => {
      new Line(source, sink).send(entry.message);
      assert.deepEqual(messages(said()), [entry.message]);
    });
  });
}

const RULE_BOT = fileURLToPath(new URL("../rule-bot/", import.meta.url));

for (const name of readdirSync(join(VECTORS, "transcripts")).sort()) {
  test(`the rule bot replays ${name} in every seat`, () => {
    const transcript = load(join("transcripts", name));
    for (let seat = 0; seat < transcript.seats; seat++) {
      const of = (who) =>
        transcript.frames
          .filter((entry) => entry.seat === seat && entry.from === who)
          .map((entry) => bytes(entry.hex));
      const input = Buffer.concat(of("referee"));
      const done = spawnSync(process.execPath, ["bot.js"], { cwd: RULE_BOT, input });
      assert.equal(done.stderr.toString(), "");
      assert.equal(done.status, 0);
      assert.deepEqual(messages(done.stdout), messages(Buffer.concat(of("bot"))));
    }
  });
}

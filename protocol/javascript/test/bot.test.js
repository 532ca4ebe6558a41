/** What the SDK handles: prints, errors, promises, and connections that break off. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Line, ProtocolError, Random } from "../src/index.js";
import { ACT, BYE, converse, frame, HELLO, messages, program, START, withFiles } from "./vectors.js";

const GAME = [HELLO, START, ACT, BYE];
const IMPORT = 'import { run } from "arena-sdk";';

test("what is printed, in whatever way, goes to stderr", () => {
  const done = program(
    `${IMPORT}
    import { writeSync } from "node:fs";
    import { spawnSync } from "node:child_process";
    run(() => {
      console.log("one");
      process.stdout.write("two\\n");
      writeSync(1, "three\\n");
      spawnSync("echo", ["four"], { stdio: "inherit" });
      return 1;
    }, { name: "prints" });`,
    GAME,
  );
  assert.equal(done.printed, "one\ntwo\nthree\nfour\n");
  const [hello, action] = done.said;
  assert.equal(hello.name, "prints");
  assert.deepEqual(action, { t: "action", id: 7, i: 1 });
});

test("prints reach the author also where its stderr is no pipe", () => {
  const words = ["--input-type=module", "--eval"];
  const source = `${IMPORT} run(() => { console.log("one"); return 1; });`;
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const input = Buffer.concat(GAME.map(frame));
  const done = spawnSync(process.execPath, [...words, source], { cwd, input });
  assert.equal(done.stderr.toString(), "one\n");
  assert.equal(messages(done.stdout).length, 2);
});

test("the bot of the README plays", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, source] = /```js\n(.*?)```/s.exec(readme);
  const done = program(source, GAME);
  assert.equal(done.printed, "");
  assert.equal(done.said[0].name, "first");
  assert.deepEqual(done.said[1].a, ["draw", done.said[1].a[1]]);
});

test("a choice may be an action, and may have a note", async () => {
  const choose = (question) => {
    question.note = "because";
    return ["draw", question.start.seat];
  };
  const said = await converse(choose, Buffer.concat(GAME.map(frame)));
  assert.deepEqual(said[1], { t: "action", id: 7, a: ["draw", 0], note: "because" });
});

test("a choice may be promised", async () => {
  const choose = (question) => new Promise((tell) => setTimeout(() => tell(question.id % 2), 5));
  const said = await converse(choose, Buffer.concat(GAME.map(frame)));
  assert.deepEqual(said[1], { t: "action", id: 7, i: 1 });
});

test("a bot says what it is called and what it wants", async () => {
  const wants = { version: "2", actions: false, events: false };
  const [hello] = await converse(function beaver() {}, frame(HELLO), wants);
  assert.deepEqual(hello, { t: "hello", protocol: [1, 0], name: "beaver", ...wants });
});

test("an error in choose is told to the referee and, with its trace, to the author", () => {
  const done = program(`${IMPORT} run(function choose() { return [].none.such; });`, GAME);
  const error = done.said[1];
  assert.equal(error.t, "error");
  assert.match(error.text, /^TypeError: .*'such'.* \(at choose \(/);
  assert.match(done.printed, /TypeError: .*\n +at .*choose/);
});

test("a promise that fails is an error, too", () => {
  const done = program(`${IMPORT} run(async () => { throw new Error("no idea"); });`, GAME);
  assert.match(done.said[1].text, /^Error: no idea/);
});

for (const [wrong, shown] of [
  [undefined, "undefined"],
  [1.5, "1.5"],
  [{ a: 1 }, '{"a":1}'],
]) {
  test(`a choice of ${shown} is refused with what was expected`, async () => {
    const stderr = console.error;
    console.error = () => {};
    try {
      const said = await converse(() => wrong, Buffer.concat(GAME.map(frame)));
      assert.match(said[1].text, /choose: expected an action .* or its index, got /);
      assert.ok(said[1].text.includes(shown));
    } finally {
      console.error = stderr;
      process.exitCode = 0;
    }
  });
}

test("a referee of another major version is told", async () => {
  const [error] = await converse(() => 0, frame({ ...HELLO, protocol: [2, 1] }));
  assert.deepEqual(error, { t: "error", text: "this bot speaks protocol 1.0, not 2.1" });
});

test("a bot ends when the line does, also within a frame", async () => {
  const data = Buffer.concat(GAME.slice(0, 3).map(frame));
  for (const cut of [0, 2, 30, data.length - 1]) {
    const said = await converse(() => 0, data.subarray(0, cut));
    assert.equal(said.length, cut > 100 ? 1 : 0);
  }
});

test("frames that arrive in pieces are put together", async () => {
  const source = fileURLToPath(new URL("../rule-bot/", import.meta.url));
  const bot = spawn(process.execPath, ["bot.js"], { cwd: source });
  const said = [];
  bot.stdout.on("data", (data) => said.push(data));
  for (const byte of Buffer.concat(GAME.map(frame))) {
    bot.stdin.write(Buffer.of(byte));
    await new Promise(setImmediate);
  }
  const code = await new Promise((tell) => bot.on("close", tell));
  assert.equal(code, 0);
  assert.deepEqual(messages(Buffer.concat(said)).map((message) => message.t), ["hello", "action"]);
});

test("large frames are read, larger ones than the protocol has are refused", async () => {
  const large = { t: "huge", text: "x".repeat(1_000_000) };
  const sent = Buffer.concat([frame(BYE), frame(large), frame(BYE), Buffer.from("Hello")]);
  await withFiles(sent, (source, sink) => {
    const line = new Line(source, sink);
    assert.deepEqual(
      [line.receive(), line.receive(), line.receive()],
      [BYE, large, BYE],
    );
    const frame = /^a frame of 1214606444 bytes; at most 1048576 are allowed$/;
    assert.throws(() => line.receive(), (error) => {
      return error instanceof ProtocolError && frame.test(error.message);
    });
    const wide = { t: "action", note: "x".repeat(1 << 20) };
    assert.throws(() => line.send(wide), /at most 1048576 can be sent/);
  });
});

test("a frame that holds no map is refused", async () => {
  await withFiles(frame([1, 2]), (source, sink) => {
    assert.throws(() => new Line(source, sink).receive(), /does not hold a map/);
  });
});

test("chance repeats itself for a seed, and is even", () => {
  const draw = (seed) => {
    const random = new Random(seed);
    return Array.from({ length: 6000 }, () => random.below(6));
  };
  assert.deepEqual(draw(5), draw(5));
  assert.notDeepEqual(draw(5), draw(6));
  for (let face = 0; face < 6; face++) {
    const count = draw(5).filter((drawn) => drawn === face).length;
    assert.ok(Math.abs(count - 1000) < 150, `${face}: ${count}`);
  }
  const shuffled = new Random(1).shuffle([1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual([...shuffled].sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
});

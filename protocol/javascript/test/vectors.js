/** The golden vectors, and conversations with bots in this process or in one of their own. */

import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { decode, encode } from "@msgpack/msgpack";

import { Line, run } from "../src/index.js";

const here = fileURLToPath(new URL(".", import.meta.url));
export const VECTORS = process.env.ARENA_VECTORS ?? join(here, "..", "..", "vectors");

export function load(name) {
  return JSON.parse(readFileSync(join(VECTORS, name), "utf8"));
}

export function bytes(hex) {
  return Buffer.from(hex, "hex");
}

export function frame(message) {
  const body = encode(message);
  const header = Buffer.alloc(4);
  header.writeUInt32BE(body.length);
  return Buffer.concat([header, body]);
}

/** The messages of these frames. */
export function messages(data) {
  const found = [];
  for (let at = 0; at < data.length; ) {
    const end = at + 4 + data.readUInt32BE(at);
    found.push(decode(data.subarray(at + 4, end)));
    at = end;
  }
  return found;
}

/** Returns the answers of a bot in this process to what it is sent. */
export async function converse(bot, sent, options = {}) {
  return withFiles(sent, async (source, sink, said) => {
    await run(bot, { ...options, line: new Line(source, sink) });
    return messages(said());
  });
}

/** Call a function with descriptors for what is sent and for what is answered. */
export async function withFiles(sent, act) {
  const folder = mkdtempSync(join(tmpdir(), "arena-sdk-"));
  const [from, to] = [join(folder, "sent"), join(folder, "said")];
  writeFileSync(from, sent);
  const [source, sink] = [openSync(from, "r"), openSync(to, "w")];
  try {
    return await act(source, sink, () => readFileSync(to));
  } finally {
    closeSync(source);
    closeSync(sink);
    rmSync(folder, { recursive: true });
  }
}

/** Returns the answers and prints of a bot with this program, over pipes like the referee's. */
export function program(source, sent) {
  const words = [process.execPath, "--input-type=module", "--eval", source];
  const pipes = ["-c", '{ cat | "$@" 2>&3 | cat; } 3>&1 >&2 | cat', "sh", ...words];
  const cwd = join(here, "..");
  const done = spawnSync("sh", pipes, { cwd, input: Buffer.concat(sent.map(frame)) });
  return { said: messages(done.stderr), printed: done.stdout.toString() };
}

export const HELLO = { t: "hello", protocol: [1, 0], arena: "1.0.0", games: {}, limits: {} };
export const START = {
  t: "start",
  number: 0,
  game: "gargon",
  rules: { open_winnings: false },
  seat: 0,
  seats: 3,
  seed: 1,
  clock: { decision: 100, bank: 10000, start: 10000 },
};
export const ACT = {
  t: "act",
  id: 7,
  kind: "draw",
  view: { hand: [1, 2] },
  bank: 10000,
  actions: [
    ["draw", 0],
    ["draw", 1],
  ],
  first_event: 0,
  events: [],
};
export const BYE = { t: "bye" };

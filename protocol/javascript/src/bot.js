/** The base class of bots, the messages that they receive, and the loop that runs them. */

import { Line } from "./line.js";
import { Random } from "./random.js";

const VERSION = [1, 0];

export class Start {
  #random = null;

  constructor(message) {
    this.number = message.number;
    this.game = message.game;
    this.rules = message.rules;
    this.seat = message.seat;
    this.seats = message.seats;
    this.seed = message.seed;
    this.clock = message.clock;
  }

  get random() {
    return (this.#random ??= new Random(this.seed));
  }
}

export class Question {
  constructor(message, start) {
    this.id = message.id;
    this.kind = message.kind;
    this.view = message.view;
    this.events = message.events ?? [];
    this.firstEvent = message.first_event ?? 0;
    this.actions = message.actions ?? [];
    this.bank = message.bank;
    this.start = start;
    this.note = "";
  }

  get random() {
    return this.start.random;
  }
}

export class End {
  constructor(message, start) {
    this.scores = message.scores;
    this.places = message.places;
    this.verdicts = message.verdicts;
    this.events = message.events ?? [];
    this.firstEvent = message.first_event ?? 0;
    this.start = start;
  }
}

export class Bot {
  name = "";
  version = "";
  wantsActions = true;
  wantsEvents = true;

  start(_start) {}

  choose(_question) {
    throw new Error("a Bot needs a method choose(question)");
  }

  fault(message) {
    console.error(`fault: ${message.verdict}: ${message.text}`);
  }

  end(_end) {}
}

/** A bot that consists of a function. */
class FunctionBot extends Bot {
  #chooser;

  constructor(chooser, actions, events) {
    super();
    this.#chooser = chooser;
    this.wantsActions = actions;
    this.wantsEvents = events;
  }

  choose(question) {
    const choose = this.#chooser; // not called as a method: the trace begins with its name
    return choose(question);
  }
}

export async function run(bot, options = {}) {
  const { name = "", version = "", actions = true, events = true, line = null } = options;
  const isFunction = typeof bot === "function";
  const player = isFunction ? new FunctionBot(bot, actions, events) : bot;
  const given = name || bot.name || (isFunction ? "bot" : bot.constructor.name);
  await play(player, given, version || player.version, line ?? Line.takeStdio());
}

async function play(bot, name, version, line) {
  let start = null;
  for (let message; (message = line.receive()) !== null; ) {
    const { t } = message;
    if (t === "act" && start !== null) {
      const question = new Question(message, start);
      let choice;
      try {
        choice = bot.choose(question);
        if (typeof choice?.then === "function") choice = await choice;
        checkChoice(choice);
      } catch (error) {
        fail(line, error);
        return;
      }
      line.send(answer(question, choice));
    } else if (t === "start") {
      start = new Start(message);
      await bot.start(start);
    } else if (t === "end" && start !== null) {
      await bot.end(new End(message, start));
      start = null;
    } else if (t === "hello") {
      if (message.protocol[0] !== VERSION[0]) {
        const [spoken, own] = [message.protocol, VERSION].map((version) => version.join("."));
        line.send({ t: "error", text: `this bot speaks protocol ${own}, not ${spoken}` });
        return;
      }
      const { wantsActions, wantsEvents } = bot;
      const wants = { actions: wantsActions, events: wantsEvents };
      line.send({ t: "hello", protocol: VERSION, name, version, ...wants });
    } else if (t === "fault") {
      await bot.fault(message);
    } else if (t === "bye") {
      return;
    }
  }
}

function answer(question, choice) {
  const message = { t: "action", id: question.id };
  if (typeof choice === "number") message.i = choice;
  else message.a = choice;
  if (question.note) message.note = String(question.note);
  return message;
}

/** Throw an error that explains an answer of a wrong type better than the referee could. */
function checkChoice(choice) {
  if (Array.isArray(choice) || Number.isSafeInteger(choice)) return;
  throw new TypeError(
    `choose: expected an action such as ["draw", 0], or its index, got ${shown(choice)}`,
  );
}

function shown(value) {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** Report an error on stderr, and to the referee in place of an answer. */
function fail(line, error) {
  const stack = error?.stack ?? String(error);
  console.error(stack);
  const place = /\n\s+(at .*)/.exec(stack)?.[1];
  line.send({ t: "error", text: place ? `${error} (${place})` : String(error) });
  process.exitCode = 1;
}

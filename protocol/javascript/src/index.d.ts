/** What a bot in JavaScript or TypeScript imports to play in the arena. */

/** An action as the referee lists it and takes it: a verb, then integers. */
export type AnyAction = [verb: string, ...numbers: number[]];

/** The answer to a question: an action, or its index in `question.actions`. */
export type Choice = AnyAction | number;

/** What happened: its name, and what this seat may know of it. */
export interface AnyEvent {
  event: string;
  [key: string]: unknown;
}

/** Milliseconds: for every decision, to overdraw in a game, and until the bot says hello. */
export interface Clock {
  decision: number;
  bank: number;
  start: number;
}

/** Chance from a seed: the same numbers in every run. */
export class Random {
  constructor(seed: number);
  /** Some integer of 32 bits, not negative. */
  word(): number;
  /** From 0 up to but without 1, as `Math.random`. */
  float(): number;
  /** Some integer from 0 up to but without the limit. */
  below(limit: number): number;
  /** Some item; undefined if there is none. */
  pick<Item>(items: readonly Item[]): Item;
  /** The same array, in another order. */
  shuffle<Item>(items: Item[]): Item[];
}

/** A game begins: which one, under which rules, and where this bot sits. */
export class Start<Rules = Record<string, unknown>> {
  constructor(message: object);
  readonly number: number;
  readonly game: string;
  readonly rules: Rules;
  readonly seat: number;
  readonly seats: number;
  /** This bot's own randomness for this game, 32 bits. */
  readonly seed: number;
  readonly clock: Clock;
  /** Chance for this game, made from the seed. */
  readonly random: Random;
}

/** A decision to make. */
export class Question<
  Kind extends string = string,
  View = any,
  Action = AnyAction,
  Event = AnyEvent,
  Rules = any,
> {
  constructor(message: object, start: Start<Rules>);
  readonly id: number;
  /** Which decision it is, such as "play"; `arena game show` lists them. */
  readonly kind: Kind;
  /** All that this seat sees now. */
  readonly view: View;
  /** What happened since the bot was last asked; empty if it does not want events. */
  readonly events: Event[];
  /** The number of the first of `events`. */
  readonly firstEvent: number;
  /** The legal actions in their order; empty if the bot does not want them. */
  readonly actions: Action[];
  /** Milliseconds that are left to overdraw in this game. */
  readonly bank: number;
  readonly start: Start<Rules>;
  /** Chance for this game. */
  readonly random: Random;
  /** A remark that replays show. */
  note: string;
}

/** A game has ended: scores, places and verdicts by seat, and the last events. */
export class End<Event = AnyEvent, Rules = any> {
  constructor(message: object, start: Start<Rules>);
  readonly scores: number[];
  readonly places: number[];
  readonly verdicts: string[];
  readonly events: Event[];
  readonly firstEvent: number;
  readonly start: Start<Rules>;
}

/** Why the bot is out of the game. */
export interface Fault {
  t: "fault";
  verdict: string;
  text: string;
  decision: number;
  follows: string;
}

/** Extend this, or hand a function to `run`. */
export class Bot<Asked extends Question<any, any, any, any, any> = Question> {
  /** By default the name of the class. */
  name: string;
  version: string;
  /** Whether the list of legal actions comes with every question. */
  wantsActions: boolean;
  /** Whether events come with every question. */
  wantsEvents: boolean;
  /** A game begins. */
  start(start: Asked["start"]): void | Promise<void>;
  /** The action, or its index in `question.actions`. */
  choose(question: Asked): Choice | Promise<Choice>;
  /** This bot has failed and is out of the game; by default the reason goes to stderr. */
  fault(message: Fault): void | Promise<void>;
  /** A game has ended; nothing of it may influence the next one. */
  end(end: End<Asked["events"][number]>): void | Promise<void>;
}

export interface Options {
  name?: string;
  version?: string;
  /** Whether a function wants the list of legal actions (default true); a `Bot` says so itself. */
  actions?: boolean;
  /** Whether a function wants events (default true); a `Bot` says so itself. */
  events?: boolean;
  /** By default stdin and stdout, and what is printed goes to stderr. */
  line?: Line;
}

/**
 * Play until the referee says goodbye or closes the line.
 *
 * The line is read without giving way to timers or other events, which is quickest. They run
 * while a promise from `choose` is waited for.
 */
export function run<Asked extends Question<any, any, any, any, any> = Question>(
  bot: Bot<Asked> | ((question: Asked) => Choice | Promise<Choice>),
  options?: Options,
): Promise<void>;

/** The referee sent bytes that are not a frame of the protocol. */
export class ProtocolError extends Error {}

/** Sends and receives messages over two file descriptors. */
export class Line {
  constructor(source: number, sink: number);
  /** Take stdin and stdout for the protocol; what is printed goes to stderr from now on. */
  static takeStdio(): Line;
  /** Send one message. */
  send(message: object): void;
  /** The next message; null when the referee has closed the line. */
  receive(): Record<string, any> | null;
}

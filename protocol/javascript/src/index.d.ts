/** The arena's SDK for bots in JavaScript or TypeScript. */

/** An action, as the referee lists and accepts it: a verb, then integers. */
export type AnyAction = [verb: string, ...numbers: number[]];

/** The answer to a question: an action, or its index in `question.actions`. */
export type Choice = AnyAction | number;

/** An event: its name, and the fields that this seat may know. */
export interface AnyEvent {
  event: string;
  [key: string]: unknown;
}

/** Milliseconds: for each decision, for longer ones in a game, and until the bot says hello. */
export interface Clock {
  decision: number;
  bank: number;
  start: number;
}

/** A random generator with a seed: the same numbers in every run. */
export class Random {
  constructor(seed: number);
  /** Returns a random unsigned 32-bit integer. */
  word(): number;
  /** Returns a random number from 0 up to but without 1, as `Math.random`. */
  float(): number;
  /** Returns a random integer from 0 up to but without the limit. */
  below(limit: number): number;
  /** Returns a random item; undefined if there is none. */
  pick<Item>(items: readonly Item[]): Item;
  /** Shuffles the array in place and returns it. */
  shuffle<Item>(items: Item[]): Item[];
}

/** The start of a game: the game, its rules, and this bot's seat. */
export class Start<Rules = Record<string, unknown>> {
  constructor(message: object);
  readonly number: number;
  readonly game: string;
  readonly rules: Rules;
  readonly seat: number;
  readonly seats: number;
  /** This bot's own seed for this game, 32 bits. */
  readonly seed: number;
  readonly clock: Clock;
  /** The random generator of this game, made from the seed. */
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
  /** The kind of decision, such as "play"; `arena game show` lists them. */
  readonly kind: Kind;
  /** Everything that this seat sees now. */
  readonly view: View;
  /** What happened since the bot was last asked; empty if it does not want events. */
  readonly events: Event[];
  /** The number of the first of `events`. */
  readonly firstEvent: number;
  /** The legal actions in their order; empty if the bot does not want them. */
  readonly actions: Action[];
  /** Milliseconds that are left in this game for longer decisions. */
  readonly bank: number;
  readonly start: Start<Rules>;
  /** The random generator of this game. */
  readonly random: Random;
  /** A remark that replays show. */
  note: string;
}

/** The end of a game: scores, places and verdicts by seat, and the last events. */
export class End<Event = AnyEvent, Rules = any> {
  constructor(message: object, start: Start<Rules>);
  readonly scores: number[];
  readonly places: number[];
  readonly verdicts: string[];
  readonly events: Event[];
  readonly firstEvent: number;
  readonly start: Start<Rules>;
}

/** The reason why the bot is out of the game. */
export interface Fault {
  t: "fault";
  verdict: string;
  text: string;
  decision: number;
  follows: string;
}

/** The base class of bots. A bot can also be a function that is passed to `run`. */
export class Bot<Asked extends Question<any, any, any, any, any> = Question> {
  /** The name of the bot; by default the name of the class. */
  name: string;
  version: string;
  /** Whether the list of legal actions comes with every question. */
  wantsActions: boolean;
  /** Whether events come with every question. */
  wantsEvents: boolean;
  /** Called when a game begins. */
  start(start: Asked["start"]): void | Promise<void>;
  /** Returns an action, or its index in `question.actions`. */
  choose(question: Asked): Choice | Promise<Choice>;
  /** Called when this bot has failed and is out of the game. By default logs why to stderr. */
  fault(message: Fault): void | Promise<void>;
  /** Called when a game has ended. Nothing of it may influence the next game. */
  end(end: End<Asked["events"][number]>): void | Promise<void>;
}

export interface Options {
  name?: string;
  version?: string;
  /** Whether a function wants the list of legal actions (default true); see `Bot.wantsActions`. */
  actions?: boolean;
  /** Whether a function wants events (default true); see `Bot.wantsEvents`. */
  events?: boolean;
  /** By default stdin and stdout; then prints go to stderr. */
  line?: Line;
}

/**
 * Play until the referee says goodbye or closes the connection.
 *
 * For speed, the connection is read synchronously: timers and other events do not run. They run
 * while `run` waits for a promise from `choose`.
 */
export function run<Asked extends Question<any, any, any, any, any> = Question>(
  bot: Bot<Asked> | ((question: Asked) => Choice | Promise<Choice>),
  options?: Options,
): Promise<void>;

/** Thrown for bytes or messages that are not a valid frame of the protocol. */
export class ProtocolError extends Error {}

/** Sends and receives messages over two file descriptors. */
export class Line {
  constructor(source: number, sink: number);
  /** Reserve stdin and stdout for the protocol; later prints go to stderr. */
  static takeStdio(): Line;
  /** Send one message. */
  send(message: object): void;
  /** Returns the next message, or null if the referee has closed the connection. */
  receive(): Record<string, any> | null;
}

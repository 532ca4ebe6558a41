/** Gang de Castors: views, actions, events and helpers; see `arena game show castors`. */

import type { End as AnyEnd, Question as AnyQuestion, Start as AnyStart } from "./index.js";

/** A card: 0 to 9 its value, 10 swap, 11 peek, 12 draw; -1 if you cannot know it. */
export type Card = number;
/** A position in a row: 0 to 3, from the left. */
export type Position = number;
export type Seat = number;
/** The number of each card, 0 to 12, among the cards of one shuffle that you cannot locate. */
export type Pool = number[];

export interface Rules {
  /** The number of laps after which a deal ends without a call. */
  laps: number;
}

/** What a seat sees. Lists with one entry per seat start with seat 0. */
export interface View {
  /** Your seat. */
  seat: Seat;
  /** The seat that has to decide, -1 after the end. */
  turn: number;
  /** What it has to decide, empty after the end. */
  kind: "turn" | "card" | "call" | "";
  /** The number of the deal, from 0. */
  deal: number;
  /** How many deals the game has. */
  deals: number;
  dealer: Seat;
  /** How many turns have been finished in this deal. */
  moves: number;
  /** The seat that called the last round, -1 if none. */
  caller: number;
  /** The rows of all seats. */
  rows: Card[][];
  /** Who knows which card of the rows: the sum of 2 ** seat over the seats that do. */
  known_by: number[][];
  /** Whether a card was drawn and kept, so that it is surely a value card. */
  kept: boolean[][];
  /** The discards, the top card last. */
  discards: Card[];
  /** How many cards the pile has. */
  pile: number;
  /** The card that the seat in turn has drawn, -1 if that is not you; null if there is none. */
  drawn: Card | null;
  /** Whether the drawn card can be rejected for a second one. */
  rejectable: boolean;
  /** The cards that you cannot locate, by shuffle; the last pool is that of the pile. */
  pools: Pool[];
  /** The pool from which each card of the rows came. */
  row_pools: number[][];
  /** The pool from which the drawn card came, -1 if none. */
  drawn_pool: number;
  /** The points of the deals so far, by seat. */
  totals: number[];
}

/** Put the open card in this position. */
export type Take = ["take", position: Position];
/** In a turn: draw from the pile. Of a draw card: play it. */
export type Draw = ["draw"];
/** Discard the drawn card. */
export type Discard = ["discard"];
/** Put the drawn card in this position. */
export type Keep = ["keep", position: Position];
/** Exchange your card in this position for one of another seat. */
export type Swap = ["swap", position: Position, seat: Seat, itsPosition: Position];
/** Look at your card in this position. */
export type Peek = ["peek", position: Position];
/** Discard the drawn card and draw a second one. */
export type Reject = ["reject"];
export type Call = ["call"];
export type Wait = ["wait"];
export type TurnAction = Draw | Take;
export type CardAction = Discard | Keep | Swap | Peek | Draw | Reject;
export type CallAction = Call | Wait;
export type Action = TurnAction | CardAction | CallAction;

/** An event; `cards` and `card` may be present only for the seat that sees them. */
export type Event =
  | { event: "deal"; deal: number; dealer: Seat; card: Card }
  | { event: "looked"; seat: Seat; positions: Position[]; cards?: Card[] }
  | { event: "took"; seat: Seat; card: Card; position: Position; discarded: Card }
  | { event: "drew"; seat: Seat; card?: Card }
  | { event: "kept"; seat: Seat; position: Position; discarded: Card }
  | { event: "discarded"; seat: Seat; card: Card }
  | { event: "rejected"; seat: Seat; card: Card }
  | {
      event: "swapped";
      seat: Seat;
      position: Position;
      other: Seat;
      other_position: Position;
    }
  | { event: "peeked"; seat: Seat; position: Position; card?: Card }
  | { event: "drawing"; seat: Seat }
  | { event: "reshuffled"; pile: number }
  | { event: "called"; seat: Seat }
  | { event: "replaced"; seat: Seat; position: Position; cards: Card[] }
  | { event: "counted"; rows: Card[][]; points: number[]; totals: number[] };

export type Start = AnyStart<Rules>;
export type End = AnyEnd<Event, Rules>;
type Asked<Kind extends string, Choices> = AnyQuestion<Kind, View, Choices, Event, Rules>;
export type Question =
  | Asked<"turn", TurnAction>
  | Asked<"card", CardAction>
  | Asked<"call", CallAction>;

/** The highest value of a card. */
export const NINE: 9;
export const SWAP: 10;
export const PEEK: 11;
export const DRAW: 12;
/** The value in a row for a card that you cannot know. */
export const UNKNOWN: -1;
/** Cards in a row. */
export const ROW: 4;

/** Whether it is an action card: swap, peek or draw. */
export function isSpecial(card: Card): boolean;
/** The points of a value card; null for any other card. */
export function value(card: Card): number | null;
/** The name of a card: "5", "swap", or "unknown". */
export function cardName(card: Card): string;
/** Your own row. */
export function ownRow(view: View): Card[];
/** The open card. */
export function topDiscard(view: View): Card;
/** The pool of the pile. */
export function pilePool(view: View): Pool;
/** The pool from which a card of a row came. */
export function pool(view: View, seat: Seat, position: Position): Pool;
/** The probability of each card, 0 to 12, for a card from this pool. */
export function odds(pool: Pool): number[];
/** The mean of the value cards in this pool. */
export function meanValue(pool: Pool): number;
/** The mean points of a card of a row at the end, when action cards are replaced. */
export function expectedPoints(view: View, seat: Seat, position: Position): number;

/** Gargon: views, actions, events and helpers for cards; see `arena game show gargon`. */

import type { End as AnyEnd, Question as AnyQuestion, Start as AnyStart } from "./index.js";

/** A card: `colour * 16 + value`. */
export type Card = number;
/** A colour: 0 white, 1 blue, 2 violet, 3 red, 4 yellow, 5 green. */
export type Colour = number;
export type Seat = number;

export interface Rules {
  /** Won cards lie open for all to see. */
  open_winnings: boolean;
  /** Amulets on the cards of value 1 to 12. */
  amulets: number[];
}

/** What a seat sees. Lists with one entry per seat start with seat 0. */
export interface View {
  /** Your seat. */
  seat: Seat;
  /** The seat that has to decide, -1 after the end. */
  turn: number;
  /** What it has to decide, empty after the end. */
  kind: "play" | "battle" | "draw" | "";
  /** The number of the round, from 0. */
  round: number;
  /** The starter of the round. */
  starter: Seat;
  /** The starter's shape, most first: [2, 1] is two of one colour and one of another. */
  shape: number[] | null;
  /** Who passed in this round. */
  passed: boolean[];
  /** Your cards, ascending. */
  hand: Card[];
  /** Every hand by the colours on the backs: how many cards of each colour. */
  hands: number[][];
  /** The cards before each seat on the table: how many of each colour. */
  played: number[][];
  /** The cards before each seat on the table; null while they lie face down to you. */
  table: (Card[] | null)[];
  /** The colours on the backs of both stacks, the top card first. */
  stacks: [Colour[], Colour[]];
  /** The piles of won cards; null for other seats before the end, unless winnings are open. */
  won: (Card[] | null)[];
  /** All discarded cards, in the order in which they were discarded. */
  discards: Card[];
  /** The colour of the battle going on, -1 if none. */
  fighting: number;
  /** Who still draws a card for the one he lost, in order. */
  drawing: Seat[];
}

/** Put one to three cards before you, face down. */
export type Play = ["play", ...Card[]];
/** Pass, and draw these numbers of cards from stack 0 and from stack 1. */
export type Pass = ["pass", fromStack0: number, fromStack1: number];
/** Fight in this colour. */
export type Battle = ["battle", colour: Colour];
/** Draw the top card of this stack. */
export type Draw = ["draw", stack: number];
export type Action = Play | Pass | Battle | Draw;

/** An event; `cards` and `card` are present only for the seat that sees them. */
export type Event =
  | { event: "dealt"; seat: Seat; colours: Colour[]; cards?: Card[] }
  | { event: "round"; round: number; starter: Seat }
  | { event: "played"; seat: Seat; colours: Colour[]; cards?: Card[] }
  | { event: "passed"; seat: Seat; amounts: [number, number]; colours: Colour[]; cards?: Card[] }
  | { event: "revealed"; table: Card[][] }
  | { event: "battle"; seat: Seat; colour: Colour }
  | { event: "fought"; seats: Seat[]; cards: Card[]; winner: number }
  | { event: "won"; seat: Seat; cards: Card[] }
  | { event: "drew"; seat: Seat; stack: number; colour: Colour; card?: Card }
  | { event: "scored"; won: Card[][]; scores: number[] };

export type Start = AnyStart<Rules>;
export type End = AnyEnd<Event, Rules>;
type Asked<Kind extends string, Choices> = AnyQuestion<Kind, View, Choices, Event, Rules>;
export type Question =
  | Asked<"play", Play | Pass>
  | Asked<"battle", Battle>
  | Asked<"draw", Draw>;

/** The names of the colours. */
export const COLOURS: readonly string[];
/** The highest value of a card. */
export const HIGHEST: number;

export function colour(card: Card): Colour;
export function value(card: Card): number;
export function card(colour: Colour, value: number): Card;
/** The name of a colour: "red". */
export function colourName(colour: Colour): string;
/** The name of a card: "red 9". */
export function cardName(card: Card): string;
/** How many of this card the pack has: two of a zero, one of any other. */
export function copies(card: Card): number;
/** The shape of a play: how many cards of each colour, most first. */
export function shape(cards: readonly Card[]): number[];
/** The amulets on a card under these rules. */
export function amulets(card: Card, rules: Rules): number;
/** The seats that play or pass after yours in this round, in order. */
export function seatsAfter(view: View): Seat[];

/**
 * The arena's SDK for bots in JavaScript or TypeScript.
 *
 *     import { run } from "arena-sdk";
 *
 *     run((question) => question.actions[0], { name: "first" });
 */

export { Bot, End, Question, run, Start } from "./bot.js";
export { Line, ProtocolError } from "./line.js";
export { Random } from "./random.js";

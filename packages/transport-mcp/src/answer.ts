import { cutToJson, type JsonObject, type JsonValue, oneLine } from "@sm/core";

/** What a tool returns: clients give the model either the text or the structured content, so each keeps to the budget. */
export interface Answer {
  text: string;
  data: JsonObject;
}

/** One item of an answer, such as a hit or an entry. */
export type AnswerItem = Answer;

export const DEFAULT_BUDGET = 8_000;
export const MOST_BUDGET = 50_000;
/** Below this a reference, a title and a cursor leave no room for content. */
export const LEAST_BUDGET = 2_000;

/** Room for what an answer says behind its items, besides a cursor. */
const ENDING = 200;

/** Counts what an answer takes of its budget, as text and as JSON. */
export class Budget {
  readonly #most: number;
  #text = 0;
  #json = 0;

  /** @param cursor what stands behind the items, if all of them fit. */
  constructor(most: number, beginning: Answer, cursor = "") {
    this.#most = most - ENDING - cursor.length;
    this.#text = beginning.text.length + 2;
    this.#json = JSON.stringify(beginning.data).length + 20;
  }

  /** Characters that are left. */
  get left(): number {
    return Math.max(0, this.#most - Math.max(this.#text, this.#json));
  }

  /** Takes an item if there is room for it. */
  take({ text, data }: AnswerItem): boolean {
    const textEnd = this.#text + text.length + 2;
    const jsonEnd = this.#json + JSON.stringify(data).length + 1;
    if (Math.max(textEnd, jsonEnd) > this.#most) return false;
    this.#text = textEnd;
    this.#json = jsonEnd;
    return true;
  }
}

/** Joins the parts of an answer; `null` parts are left out. */
export function joinAnswer(
  beginning: Answer,
  list: string,
  items: readonly AnswerItem[],
  ending: { text: string; data: { [name: string]: JsonValue } },
): Answer {
  const texts = [beginning.text, ...items.map(({ text }) => text), ending.text].filter((text) => text !== "");
  return {
    text: texts.join("\n\n"),
    data: { ...beginning.data, [list]: items.map(({ data }) => data), ...ending.data },
  };
}

/** A cursor for an answer, unless it would leave too little room for anything else. */
export function fittingCursor(cursor: string | null, most: number): string | null {
  return cursor !== null && cursor.length <= most / 4 ? cursor : null;
}

const CONTROLS = /\p{Cc}+/gu;

/** A title, a path or the like in one line, as short in JSON. */
export function shortLine(text: string, limit: number): string {
  return cutToJson(oneLine(text, limit).replace(CONTROLS, " "), limit);
}

/** A number of things in words: `1 entry`, `1,200 entries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** A time as short as a model needs it, in UTC. */
export function shortTime(time: string | null): string {
  return time === null ? "" : time.slice(0, 16).replace("T", " ");
}

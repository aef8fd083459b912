import type { ModelName } from "../session/named-models.ts";
import { ByteReader, ByteWriter } from "../session/varint.ts";
import { type Activity, hasModel } from "./activity.ts";
import { byName } from "./by-name.ts";
import { got } from "./got.ts";

/** Models and tools of a part of a session; other data refers to their indexes. */
export interface Names {
  models: readonly ModelName[];
  tools: readonly (string | null)[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Collects the names of messages, sorted, so that equal sets have equal bytes. */
export function namesOf(activities: readonly Activity[]): Names {
  const models = new Map<string | null, Set<string | null>>();
  const tools = new Set<string | null>();
  for (const activity of activities) {
    if (hasModel(activity)) got(models, activity.provider, newSet).add(activity.model);
    for (const tool of activity.calls) tools.add(tool);
    for (const tool of activity.failed) tools.add(tool);
  }
  return {
    models: [...models.keys()]
      .sort(byName)
      .flatMap((provider) => [...(models.get(provider) ?? [])].sort(byName).map((model) => ({ provider, model }))),
    tools: [...tools].sort(byName),
  };
}

/** Looks up the indexes of names. */
export class NamePlaces {
  readonly #models = new Map<string | null, Map<string | null, number>>();
  readonly #tools: Map<string | null, number>;

  constructor({ models, tools }: Names) {
    for (const [place, { provider, model }] of models.entries()) {
      got(this.#models, provider, newPlaces).set(model, place);
    }
    this.#tools = new Map(tools.map((tool, place) => [tool, place]));
  }

  model({ provider, model }: ModelName): number {
    return this.#models.get(provider)?.get(model) ?? 0;
  }

  tool(tool: string | null): number {
    return this.#tools.get(tool) ?? 0;
  }
}

export function encodeNames({ models, tools }: Names): Uint8Array {
  const out = new ByteWriter(128);
  out.unsigned(models.length);
  for (const { provider, model } of models) {
    writeText(provider, out);
    writeText(model, out);
  }
  out.unsigned(tools.length);
  for (const tool of tools) writeText(tool, out);
  return out.bytes();
}

export function decodeNames(bytes: Uint8Array): Names {
  const input = new ByteReader(bytes);
  const models = readMany(input, () => ({ provider: readText(input), model: readText(input) }));
  return { models, tools: readMany(input, () => readText(input)) };
}

function readMany<T>(input: ByteReader, read: () => T): T[] {
  const values: T[] = [];
  for (let count = countIn(input); count > 0; count--) values.push(read());
  return values;
}

/**
 * Reads a count.
 *
 * @throws RangeError if it exceeds the remaining bytes: each item takes at least one.
 */
export function countIn(input: ByteReader): number {
  const count = input.unsigned();
  if (count > input.left) throw new RangeError("The data is truncated.");
  return count;
}

/** Zero means no text; lengths are shifted by one. */
function writeText(text: string | null, to: ByteWriter): void {
  if (text === null) {
    to.unsigned(0);
    return;
  }
  const bytes = encoder.encode(text);
  to.unsigned(1 + bytes.length);
  to.raw(bytes);
}

function readText(from: ByteReader): string | null {
  const length = from.unsigned();
  return length === 0 ? null : decoder.decode(from.raw(length - 1));
}

const newSet = () => new Set<string | null>();
const newPlaces = () => new Map<string | null, number>();

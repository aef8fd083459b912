import type { ModelName } from "../session/named-models.ts";
import { ByteReader, ByteWriter } from "../session/varint.ts";
import { type Activity, hasModel } from "./activity.ts";
import { byName } from "./by-name.ts";
import { got } from "./got.ts";

/** A model with the prices that its usage is estimated by, see `priceTierOf`. */
export interface PricedModel extends ModelName {
  tier: number;
}

/** Models and tools of a part of a session; other data refers to their indexes. */
export interface Names {
  models: readonly PricedModel[];
  tools: readonly (string | null)[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Collects the names of messages, sorted, so that equal sets have equal bytes. */
export function namesOf(activities: readonly Activity[]): Names {
  const models = new Map<string | null, Map<string | null, Set<number>>>();
  const tools = new Set<string | null>();
  for (const activity of activities) {
    if (hasModel(activity)) got(got(models, activity.provider, newModels), activity.model, newTiers).add(activity.tier);
    for (const tool of activity.calls) tools.add(tool);
    for (const tool of activity.failed) tools.add(tool);
  }
  return {
    models: [...models.entries()]
      .sort(([a], [b]) => byName(a, b))
      .flatMap(([provider, ofProvider]) =>
        [...ofProvider.entries()]
          .sort(([a], [b]) => byName(a, b))
          .flatMap(([model, tiers]) => [...tiers].sort((a, b) => a - b).map((tier) => ({ provider, model, tier }))),
      ),
    tools: [...tools].sort(byName),
  };
}

/** Looks up the indexes of names. */
export class NamePlaces {
  /** By provider, model and tier. */
  readonly #models = new Map<string | null, Map<string | null, number[]>>();
  readonly #tools: Map<string | null, number>;

  constructor({ models, tools }: Names) {
    for (const [place, { provider, model, tier }] of models.entries()) {
      got(got(this.#models, provider, newPlaces), model, newTierPlaces)[tier] = place;
    }
    this.#tools = new Map(tools.map((tool, place) => [tool, place]));
  }

  model({ provider, model, tier }: PricedModel): number {
    return this.#models.get(provider)?.get(model)?.[tier] ?? 0;
  }

  tool(tool: string | null): number {
    return this.#tools.get(tool) ?? 0;
  }
}

export function encodeNames({ models, tools }: Names): Uint8Array {
  const out = new ByteWriter(128);
  out.unsigned(models.length);
  for (const { provider, model, tier } of models) {
    writeText(provider, out);
    writeText(model, out);
    out.unsigned(tier);
  }
  out.unsigned(tools.length);
  for (const tool of tools) writeText(tool, out);
  return out.bytes();
}

export function decodeNames(bytes: Uint8Array): Names {
  const input = new ByteReader(bytes);
  const models = readMany(input, () => ({
    provider: readText(input),
    model: readText(input),
    tier: input.unsigned(),
  }));
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

const newModels = () => new Map<string | null, Set<number>>();
const newTiers = () => new Set<number>();
const newPlaces = () => new Map<string | null, number[]>();
const newTierPlaces = (): number[] => [];

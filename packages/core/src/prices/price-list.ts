import type { ModelName } from "../session/named-models.ts";
import { CONTEXT_SIZES, NOT_ESTIMATED } from "./context-size.ts";
import { dollarsOf, type ModelPrices, ratesOf, type TokenRates, type UserPrices } from "./model-prices.ts";
import { PRICE_LINES } from "./price-table.ts";
import { type UnpricedUsage, unitsOf } from "./unpriced-usage.ts";

/** Names that are kept with their prices: transcripts may name any number. */
const MAX_KEPT = 1_000;

/** Prices of a model by tier, see `priceTierOf`; the first is missing. */
type TieredRates = readonly (TokenRates | null)[];

interface TableEntry {
  /** Without `*`, with what may be before and behind. */
  name: string;
  isOpenAtStart: boolean;
  isOpenAtEnd: boolean;
  rates: TieredRates;
}

/** Finds the prices of models: those of the user first, then those of the price table. */
export class PriceList {
  readonly #user: ReadonlyMap<string, TieredRates>;
  readonly #kept = new Map<string, TieredRates | null>();

  constructor(userPrices: UserPrices = {}) {
    this.#user = new Map(
      Object.entries(userPrices).map(([name, prices]) => [name.toLowerCase(), sameForAllTiers(prices)]),
    );
  }

  /** @returns `null` if there is nothing to estimate, or the model is not known. */
  rates({ model, provider }: ModelName, tier: number): TokenRates | null {
    if (tier === NOT_ESTIMATED || model === null) return null;
    const key = `${provider ?? ""}/${model}`;
    let found = this.#kept.get(key);
    if (found === undefined) {
      if (this.#kept.size === MAX_KEPT) this.#kept.clear();
      found = this.#find(model.toLowerCase(), provider?.toLowerCase() ?? "");
      this.#kept.set(key, found);
    }
    return found?.[Math.min(tier, CONTEXT_SIZES.length + 1)] ?? null;
  }

  /**
   * Estimates what tokens of a session have cost, in US dollars; `null` if no price is known.
   *
   * @param models by number, see `NamedModels`.
   */
  estimate(models: readonly ModelName[], unpriced: Iterable<UnpricedUsage>): number | null {
    let units: number | null = null;
    for (const tokens of unpriced) {
      const named = models[tokens.model - 1];
      const rates = named === undefined ? null : this.rates(named, tokens.tier);
      if (rates !== null) units = (units ?? 0) + unitsOf(tokens, rates);
    }
    // Transcripts may count infinitely many tokens.
    return units === null || !Number.isFinite(units) ? null : dollarsOf(units);
  }

  #find(model: string, provider: string): TieredRates | null {
    const ofUser = this.#user.get(`${provider}/${model}`) ?? this.#user.get(model);
    if (ofUser !== undefined) return ofUser;
    const name = plainName(model);
    const undated = name.replace(DATE, "");
    return this.#user.get(undated) ?? entryFor(name)?.rates ?? entryFor(undated)?.rates ?? null;
  }
}

/** Keeps the list of the prices that were asked for last. */
export class PriceLists {
  #key = "{}";
  #list = new PriceList();

  of(userPrices: UserPrices): PriceList {
    const key = JSON.stringify(userPrices);
    if (key !== this.#key) this.#list = new PriceList(userPrices);
    this.#key = key;
    return this.#list;
  }
}

const DATE = /-(?:\d{8}|\d{4}-\d\d-\d\d)$/;

/**
 * What the maker calls a model: hosts put their names in front, and versions behind, such as in
 * `us.anthropic.claude-opus-4-5-20251101-v1:0` or `claude-opus-4-5@20251101`.
 */
function plainName(model: string): string {
  const name = model.slice(model.lastIndexOf("/") + 1);
  return name
    .replace(/^(?:[a-z-]+\.)*(?:anthropic|openai|google|mistral|deepseek|moonshotai|minimax|zai)\./, "")
    .replace(/\[[^\]]*\]$/, "")
    .replace(/[@:].*$/, "")
    .replace(/-v\d+$/, "")
    .replaceAll(".", "-");
}

function entryFor(name: string): TableEntry | undefined {
  return table().find((entry) => {
    if (entry.isOpenAtStart) return entry.isOpenAtEnd ? name.includes(entry.name) : name.endsWith(entry.name);
    return entry.isOpenAtEnd ? name.startsWith(entry.name) : name === entry.name;
  });
}

let entries: TableEntry[] | null = null;

/** Read when it is first needed. Whole names come first, then the longest. */
function table(): TableEntry[] {
  entries ??= PRICE_LINES.split("\n")
    .filter((line) => line.includes(" = "))
    .flatMap((line) => {
      const [names = "", prices = ""] = line.split(" = ");
      const rates = tieredRates(prices.split(" | "));
      return names.split(" ").map((name) => ({
        name: name.replaceAll("*", ""),
        isOpenAtStart: name.startsWith("*"),
        isOpenAtEnd: name.endsWith("*"),
        rates,
      }));
    })
    .sort((a, b) => openness(a) - openness(b) || b.name.length - a.name.length);
  return entries;
}

function openness({ isOpenAtStart, isOpenAtEnd }: TableEntry): number {
  return Number(isOpenAtStart) + Number(isOpenAtEnd);
}

function sameForAllTiers(prices: ModelPrices): TieredRates {
  const rates = ratesOf(prices);
  return [null, rates, ...CONTEXT_SIZES.map(() => rates)];
}

/** @param rows the first for all requests, the others for those that exceed the size in front. */
function tieredRates([first = "", ...others]: string[]): TieredRates {
  const rates: (TokenRates | null)[] = [null, ratesIn(first.split(" "))];
  for (const size of CONTEXT_SIZES) {
    const row = others.findLast((other) => Number.parseInt(other, 10) <= size);
    rates.push(ratesIn((row === undefined ? first : row.slice(row.indexOf(" ") + 1)).split(" ")));
  }
  return rates;
}

function ratesIn(row: readonly string[]): TokenRates {
  const [input = 0, output = 0, cache_read, cache_write, cache_write_1h] = row.map((price) =>
    price === "-" ? undefined : Number(price),
  );
  return ratesOf({ input, output, cache_read, cache_write, cache_write_1h });
}

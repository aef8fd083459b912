/** A model as an entry names it. */
export interface ModelName {
  model: string | null;
  provider: string | null;
}

/** Numbers the models of a session from 1 in file order; 0 is unknown. */
export class NamedModels {
  readonly #names: ModelName[];
  readonly #numbers = new Map<string, number>();
  /** Cache: the next entry usually names the same model. */
  #latest = 0;

  /** @param names known models, extended by {@link NamedModels.numberOf}. */
  constructor(names: ModelName[]) {
    this.#names = names;
    for (const [place, name] of names.entries()) this.#numbers.set(keyOf(name), place + 1);
  }

  at(number: number): ModelName {
    return this.#names[number - 1] ?? UNKNOWN;
  }

  /** The number of a model; adds a new one. */
  numberOf(name: ModelName): number {
    const { model, provider } = this.at(this.#latest);
    if (model === name.model && provider === name.provider) return this.#latest;
    const key = keyOf(name);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#names.push({ model: name.model, provider: name.provider });
      this.#numbers.set(key, number);
    }
    this.#latest = number;
    return number;
  }
}

const UNKNOWN: ModelName = { model: null, provider: null };

function keyOf({ model, provider }: ModelName): string {
  return JSON.stringify([provider, model]);
}

import type { Name } from "./name.ts";
import type { Random } from "./random.ts";
import { VOCABULARY } from "./words.ts";
import { ZipfSampler } from "./zipf.ts";

const sampler = new ZipfSampler(VOCABULARY.length);
const padded = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, "0"));
const LEVELS = ["INFO", "INFO", "INFO", "INFO", "DEBUG", "DEBUG", "WARN", "ERROR"];

/** Text with slots: literal pieces, and between them the letters of what fills the gap. */
export interface Template {
  pieces: string[];
  slots: string[];
}

/** Compiles `text`, in which a dollar and a letter is a slot; {@link Topic.slot} lists the letters. */
export function template(text: string): Template {
  const parts = text.split(/\$([a-z])/);
  return { pieces: parts.filter((_, index) => index % 2 === 0), slots: parts.filter((_, index) => index % 2 === 1) };
}

/** Compiles one template a line. */
export function templates(text: string): Template[] {
  return text
    .trim()
    .split("\n")
    .map((line) => template(line.trim()));
}

/** A word as frequent as its rank in the vocabulary says. */
function word(random: Random): string {
  return VOCABULARY[sampler.draw(random)] ?? "the";
}

export function words(random: Random, count: number): string {
  let text = word(random);
  for (let index = 1; index < count; index++) text += ` ${word(random)}`;
  return text;
}

export interface TopicOptions {
  random: Random;
  /** Names that the whole project uses, the favourites first. */
  shared: readonly Name[];
  /** Names that only this session uses. */
  own: readonly Name[];
  paths: readonly string[];
  /** Messages of logs and titles of tests: the same ones come again and again. */
  phrases: readonly string[];
  /** Ids of requests and traces in its logs. */
  ids: readonly string[];
  commits: readonly string[];
  /** Milliseconds since 1970, for the times in logs. */
  time: number;
}

/** What a session is about: the names, paths and ids that come back in all its texts. */
export class Topic {
  readonly random: Random;
  readonly paths: readonly string[];
  readonly #options: TopicOptions;
  #hour: string;
  #second = 0;

  constructor(options: TopicOptions) {
    this.#options = options;
    this.random = options.random;
    this.paths = options.paths;
    this.#hour = "";
    this.moveTo(options.time);
  }

  /** Sets the hour that log lines are written in. */
  moveTo(time: number): void {
    this.#hour = new Date(time).toISOString().slice(0, 14);
  }

  name(): Name {
    const { own, shared } = this.#options;
    return own.length > 0 && this.random.chance(0.2) ? this.random.pick(own) : this.random.pickSkewed(shared);
  }

  path(): string {
    return this.random.pickSkewed(this.paths);
  }

  word(): string {
    return word(this.random);
  }

  words(count: number): string {
    return words(this.random, count);
  }

  /** Small numbers are far more frequent than large ones. */
  number(): number {
    return this.random.below(2 ** this.random.between(1, 12));
  }

  fill({ pieces, slots }: Template): string {
    let text = pieces[0] ?? "";
    for (let index = 0; index < slots.length; index++) {
      text += this.slot(slots[index] ?? "") + (pieces[index + 1] ?? "");
    }
    return text;
  }

  /** What stands in for one letter of a template. */
  slot(letter: string): string {
    switch (letter) {
      case "c":
        return this.name().camel;
      case "p":
        return this.name().pascal;
      case "s":
        return this.name().snake;
      case "k":
        return this.name().constant;
      case "d":
        return this.name().kebab;
      case "f":
        return this.path();
      case "w":
        return this.word();
      case "m":
        return this.random.chance(0.75) ? this.random.pickSkewed(this.#options.phrases) : this.words(5);
      case "n":
        return String(this.number());
      case "x":
        return this.random.pick(this.#options.ids);
      case "h":
        return this.random.pick(this.#options.commits);
      case "t":
        return this.#timestamp();
      case "l":
        return this.random.pick(LEVELS);
      default:
        throw new RangeError(`A template asks for "${letter}".`);
    }
  }

  /** Times within one hour that only grow, as in a log. */
  #timestamp(): string {
    this.#second = (this.#second + this.random.below(3)) % 3600;
    const minute = padded[Math.floor(this.#second / 60)]?.slice(1) ?? "";
    const second = padded[this.#second % 60]?.slice(1) ?? "";
    return `${this.#hour}${minute}:${second}.${padded[this.random.below(1000)] ?? ""}Z`;
  }
}

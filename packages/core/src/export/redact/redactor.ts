import type { JsonValue } from "../../json.ts";
import type { RedactionFinding } from "../../library.ts";
import { oneLine } from "../../session/text.ts";
import { findAnnounced } from "./announced.ts";
import { findAssignments, isSecretMember } from "./assignments.ts";
import { findAwsKeys } from "./aws.ts";
import { findCommandPasswords } from "./command-passwords.ts";
import { acrossContinuations } from "./continuation.ts";
import { findEmails } from "./emails.ts";
import type { Detector, Report } from "./finding.ts";
import { findAuthorizations, findCookies } from "./headers.ts";
import { HomeDetector } from "./homes.ts";
import { findKeyMaterial } from "./key-material.ts";
import { findTokens } from "./known-tokens.ts";
import { findNear, type Place } from "./nearby.ts";
import { findOtherTokens } from "./other-tokens.ts";
import { findPasswordHashes } from "./password-hashes.ts";
import { type Numbering, PLACEHOLDER, Placeholders } from "./placeholders.ts";
import { findPrivateKeys } from "./private-keys.ts";
import { findUrlPasswords } from "./urls.ts";
import { OwnWords } from "./words.ts";

interface Finding extends Place {
  type: string;
}

/** Shorter texts contain no secret: the shortest e-mail address has six characters. */
const SHORTEST = 6;
/** If two find the same, the first determines the type. */
const DETECTORS: readonly Detector[] = [
  findPrivateKeys,
  findKeyMaterial,
  findTokens,
  findAwsKeys,
  findOtherTokens,
  findPasswordHashes,
  findUrlPasswords,
  findAuthorizations,
  findCookies,
  findAnnounced,
  findCommandPasswords,
  findAssignments,
  findEmails,
];
const findEverything: Detector = (text, report) => {
  for (const detect of DETECTORS) detect(text, report);
};

const MAX_EXAMPLES = 3;
/** Characters of an example on each side of the placeholder. */
const EXAMPLE_SIDE = 60;
/** Replacements may reveal further matches: `--home-me-x--` before a token. */
const MAX_PASSES = 3;
/** Maximum nesting of a value, to limit recursion. */
const DEEPEST = 500;

/** Replaces and counts secrets and personal data. Stores what is needed for numbering, but no texts. */
export class Redactor {
  readonly #placeholders: Numbering;
  readonly #homes = new HomeDetector();
  readonly #findings = new Map<string, RedactionFinding>();
  readonly #detect: Detector;
  readonly #words: OwnWords | null;

  /**
   * @param words of the user's own, to be replaced everywhere.
   * @param find must not depend on earlier sessions.
   */
  constructor(
    words: readonly string[] | OwnWords = [],
    find: Detector = findEverything,
    placeholders: Numbering = new Placeholders(),
  ) {
    this.#placeholders = placeholders;
    this.#words = words instanceof OwnWords ? words : words.length === 0 ? null : new OwnWords(words);
    const findWrapped = acrossContinuations(find);
    this.#detect = (text, report) => {
      find(text, report);
      findWrapped(text, report);
      this.#homes.find(text, report);
    };
  }

  /** Learns whose home directory a session belongs to, to find the name in other paths. */
  learn(cwd: string): void {
    this.#homes.learn(cwd);
  }

  /** Replacements so far, most frequent first. */
  get findings(): RedactionFinding[] {
    return [...this.#findings.values()].sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1));
  }

  /** Redacts a text; `entryId` is its location. */
  text(text: string, entryId: string | null): string {
    return this.#text(text, entryId, false);
  }

  /** Redacts a truncated text: a value cut off at its end gets the placeholder of the complete value. */
  beginning(text: string): string {
    return this.#text(text, null, true);
  }

  /** Redacts what is no text of anybody, such as an ID: only the user's words in it are replaced. */
  name(text: string): string {
    return this.#withoutWords(text, false);
  }

  #text(text: string, entryId: string | null, isCut: boolean): string {
    // At last: a placeholder may have separated a word from others.
    const redacted = this.#withoutWords(this.#withoutSecrets(text, isCut), isCut);
    if (redacted !== text) this.#keepExamples(redacted, entryId);
    return redacted;
  }

  #withoutSecrets(text: string, isCut: boolean): string {
    if (text.length < SHORTEST) return text;
    let found: Finding[] = [];
    const report: Report = (start, end, type) => found.push({ start, end, type });
    this.#detect(text, report);
    if (found.length === 0) return text;
    let { redacted, freed } = this.#replace(text, separate(text, found), isCut);
    for (let pass = 1; pass < MAX_PASSES && freed.length > 0; pass++) {
      found = [];
      findNear(redacted, freed, this.#detect, report);
      ({ redacted, freed } = this.#replace(redacted, separate(redacted, found), isCut));
    }
    return redacted;
  }

  #withoutWords(text: string, isCut: boolean): string {
    if (this.#words === null) return text;
    const placeholder = (word: string) => {
      this.#count("word");
      return this.#placeholders.of("word", word);
    };
    return this.#words.replace(text, placeholder, { isPlaceholder: (type) => this.#findings.has(type), isCut });
  }

  /** Redacts every text in a JSON value, including keys. */
  value(value: JsonValue, entryId: string | null): JsonValue {
    return this.#value(value, entryId, DEEPEST);
  }

  #value(value: JsonValue, entryId: string | null, levels: number): JsonValue {
    if (typeof value === "string") return this.text(value, entryId);
    if (typeof value === "number") return this.#number(value, entryId);
    if (typeof value !== "object" || value === null) return value;
    if (levels === 0) return "…";
    if (Array.isArray(value)) return value.map((element) => this.#value(element, entryId, levels - 1));
    const members: [string, JsonValue][] = [];
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      const isSecret = typeof member === "string" && isSecretMember(key, member);
      const redacted = isSecret ? this.#secret(member, entryId) : this.#value(member, entryId, levels - 1);
      members.push([this.text(key, entryId), redacted]);
    }
    return Object.fromEntries(members);
  }

  /** A number may be one of the user's words: that of a customer. */
  #number(value: number, entryId: string | null): JsonValue {
    if (this.#words === null) return value;
    const written = String(value);
    const redacted = this.#withoutWords(written, false);
    if (redacted === written) return value;
    this.#keepExamples(redacted, entryId);
    return redacted;
  }

  /** Replaces a value with a secret key completely, unless its own format is known. */
  #secret(value: string, entryId: string | null): string {
    const redacted = this.text(value, entryId);
    if (redacted !== value) return redacted;
    const { redacted: placeholder } = this.#replace(value, [{ start: 0, end: value.length, type: "secret" }]);
    this.#keepExamples(placeholder, entryId);
    return placeholder;
  }

  /** `freed` are positions where a placeholder adjoins a letter that was hidden from detectors before. */
  #replace(text: string, findings: Finding[], isCut = false): { redacted: string; freed: Place[] } {
    const freed: Place[] = [];
    let redacted = "";
    let at = 0;
    for (const { start, end, type } of findings) {
      const value = text.slice(start, end);
      const isValueCut = isCut && end === text.length;
      redacted += text.slice(at, start);
      const place = { start: redacted.length, end: redacted.length };
      redacted += this.#placeholders[isValueCut ? "cut" : "of"](type, value);
      place.end = redacted.length;
      if (isOfWord(text, start - 1) || isOfWord(text, end)) freed.push(place);
      at = end;
      this.#count(type);
    }
    return { redacted: redacted + text.slice(at), freed };
  }

  #count(type: string): void {
    const finding = this.#findings.get(type);
    if (finding === undefined) this.#findings.set(type, { type, count: 1, examples: [] });
    else finding.count++;
  }

  #keepExamples(redacted: string, entryId: string | null): void {
    for (const match of redacted.matchAll(PLACEHOLDER)) {
      const finding = this.#findings.get(match[1] ?? "");
      if (finding === undefined || finding.examples.length >= Math.min(finding.count, MAX_EXAMPLES)) continue;
      finding.examples.push({
        entry_id: entryId,
        excerpt: excerptOf(redacted, match.index, match.index + match[0].length),
      });
    }
  }
}

/** Whether the letter at a position may belong to a word that ends at a placeholder. */
function isOfWord(text: string, at: number): boolean {
  return /[\w-]|[^\0-\x7f]/.test(text.charAt(at));
}

/**
 * Merges overlapping findings into adjacent ones. Placeholders of an earlier redaction are kept, except in a private
 * key.
 */
function separate(text: string, found: Finding[]): Finding[] {
  const placeholders = text.includes("[redacted:") ? [...text.matchAll(PLACEHOLDER)] : [];
  const endOf = (placeholder: RegExpExecArray) => placeholder.index + placeholder[0].length;
  const pieces: Finding[] = [];
  let covered = 0;
  let next = 0;
  for (const { start, end, type } of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= covered) continue;
    let placeholder = placeholders[next];
    while (placeholder !== undefined && endOf(placeholder) <= start) placeholder = placeholders[++next];
    if (placeholder !== undefined && placeholder.index < end && type !== "private-key") continue;
    pieces.push({ start: Math.max(start, covered), end, type });
    covered = end;
  }
  return pieces;
}

function excerptOf(redacted: string, start: number, end: number): string {
  const from = Math.max(0, start - EXAMPLE_SIDE);
  const to = Math.min(redacted.length, end + EXAMPLE_SIDE);
  // Whole words, so that no placeholder or character is split.
  const before = redacted.slice(from, start).replace(from === 0 ? /^/ : /^\S*\s/, "");
  const after = redacted.slice(end, to).replace(to === redacted.length ? /$/ : /\s\S*$/, "");
  return oneLine(`${before}${redacted.slice(start, end)}${after}`, end - start + 2 * EXAMPLE_SIDE);
}

import { Redactor } from "../export/redact/redactor.ts";

/** Replaces secrets in the texts of one answer. */
export interface Texts {
  /** Whether it does. */
  redacts: boolean;
  /** A whole text. */
  whole(text: string): string;
  /** The beginning of a text that is longer: a value cut off at its end is replaced, too. */
  beginning(text: string): string;
  /** Every text in a value. */
  value: Redactor["value"];
}

/**
 * @param cwd working directory of the session, whose account is found in other paths.
 * @param words of the user's own, which are replaced, too.
 */
export function textsOf({ redacts }: Pick<Texts, "redacts">, cwd: string | null, words: readonly string[] = []): Texts {
  if (!redacts) return { redacts, whole: (text) => text, beginning: (text) => text, value: (value) => value };
  const redactor = new Redactor(words);
  if (cwd !== null) redactor.learn(cwd);
  return {
    redacts,
    whole: (text) => redactor.text(text, null),
    beginning: (text) => redactor.beginning(text),
    value: (value, entryId) => redactor.value(value, entryId),
  };
}

/** What words are made up for; no word is in two series. */
const SERIES = ["needle", "decoy", "append", "absent", "agent", "line"] as const;

const WORDS_PER_SERIES = 1_000_000;
const SYLLABLES = ["za", "ze", "zi", "zo", "zu", "zar", "zel", "zim", "zon", "zur", "zap", "zet", "zik", "zov", "zum"];

/** A word for each index, below a million, that nothing else in a corpus contains: coined words have no "z". */
export function rareWord(series: (typeof SERIES)[number], index: number): string {
  let word = "q";
  let rest = SERIES.indexOf(series) * WORDS_PER_SERIES + index + SYLLABLES.length ** 2;
  for (; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) word += SYLLABLES[rest % SYLLABLES.length] ?? "";
  return word;
}

/**
 * Whether what was typed names the agent of a format: by the format's whole name, or by the first words of it, as
 * `claude` names `claude-code`.
 *
 * @param prefix whether the last word is the beginning of one.
 */
export function isAgentNamed(typed: string, format: string, prefix: boolean): boolean {
  const name = wordsOf(format);
  const typedWords = wordsOf(typed);
  return (
    typedWords.length > 0 &&
    typedWords.every((word, place) =>
      prefix && place === typedWords.length - 1 ? name[place]?.startsWith(word) === true : name[place] === word,
    )
  );
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/**
 * Answers that are asked for again and again, by question: words of a language come back, and who types asks with every
 * key for the words before. Forgets all of them where there are too many.
 */
export class Remembered<Answer extends object | null> {
  readonly #most: number;
  readonly #answers = new Map<string, Answer>();

  constructor(most: number) {
    this.#most = most;
  }

  /** @param find finds the answer where it is not known. */
  get(question: string, find: () => Answer): Answer {
    const known = this.#answers.get(question);
    if (known !== undefined) return known;
    const answer = find();
    if (this.#answers.size === this.#most) this.#answers.clear();
    this.#answers.set(question, answer);
    return answer;
  }
}

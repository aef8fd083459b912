interface Place {
  /** `null` while there is no answer. */
  act: (() => void) | null;
}

/** Answers requests in the order in which they came, however long each of them takes. */
export class AnswerOrder {
  readonly #places: Place[] = [];

  /** Takes the next place; the answer is to be given to what it returns, once, and `act` sends it in its turn. */
  next(): (act: () => void) => void {
    const place: Place = { act: null };
    this.#places.push(place);
    return (act) => {
      place.act = act;
      this.#advance();
    };
  }

  #advance(): void {
    for (let act = this.#places[0]?.act; act != null; act = this.#places[0]?.act) {
      this.#places.shift();
      act();
    }
  }
}

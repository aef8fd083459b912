interface Place {
  /** `null` until there is a response. */
  act: (() => void) | null;
}

/** Sends responses in the order of their requests, regardless of how long each takes. */
export class AnswerOrder {
  readonly #places: Place[] = [];

  /** Reserves the next position; call the returned function once with `act`, which sends the response in its turn. */
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

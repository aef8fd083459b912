/** One message of a stream of server-sent events. */
export interface StreamMessage {
  event: string;
  id: string;
  data: string;
}

/** Reads `text/event-stream` piece by piece (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class EventStreamParser {
  #rest = "";
  #endedWithReturn = false;
  #event = "";
  #id = "";
  #data: string[] = [];

  /** Takes the next piece of text and returns the messages that end in it. */
  push(piece: string): StreamMessage[] {
    // The second half of a line end that was torn apart.
    const text = this.#endedWithReturn && piece.startsWith("\n") ? piece.slice(1) : piece;
    if (piece !== "") this.#endedWithReturn = piece.endsWith("\r");
    const lines = text.split(/\r\n|\r|\n/);
    const unfinished = lines.pop() ?? "";
    if (lines.length === 0) {
      this.#rest += unfinished;
      return [];
    }
    lines[0] = this.#rest + lines[0];
    this.#rest = unfinished;
    return lines.flatMap((line) => this.#takeLine(line));
  }

  #takeLine(line: string): StreamMessage[] {
    if (line === "") return this.#endMessage();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    else if (field === "id") this.#id = value;
    else if (field === "data") this.#data.push(value);
    return [];
  }

  #endMessage(): StreamMessage[] {
    const message = { event: this.#event, id: this.#id, data: this.#data.join("\n") };
    const isEmpty = this.#data.length === 0;
    this.#event = "";
    this.#data = [];
    return isEmpty ? [] : [message];
  }
}

/** The service takes 1 MiB at a time; the rest follows. */
const MAX_WRITE_SIZE = 64 * 1024;
/** Longer input is not pasted on purpose. */
const MAX_WAITING = 16 * 1024 * 1024;

/** Sends input in order: one request at a time, with all input typed in between. */
export class InputQueue {
  readonly #send: (data: string) => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  #waiting = "";
  #isSending = false;

  constructor(send: (data: string) => Promise<unknown>, onError: (error: unknown) => void) {
    this.#send = send;
    this.#onError = onError;
  }

  type(data: string): void {
    if (this.#waiting.length + data.length > MAX_WAITING) return;
    this.#waiting += data;
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting !== "") {
      const end = wholeCharacters(this.#waiting, MAX_WRITE_SIZE);
      const data = this.#waiting.slice(0, end);
      this.#waiting = this.#waiting.slice(end);
      try {
        await this.#send(data);
      } catch (error) {
        // What follows was typed on the belief that this had arrived.
        this.#waiting = "";
        this.#onError(error);
      }
    }
    this.#isSending = false;
  }
}

/** The greatest length up to `limit` that does not end within a character. */
function wholeCharacters(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  const last = text.charCodeAt(limit - 1);
  return last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
}

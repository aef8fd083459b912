import { readFile } from "node:fs/promises";
import { Agent as HttpAgent, type IncomingMessage, request as requestOverHttp } from "node:http";
import { Agent as HttpsAgent, request as requestOverHttps } from "node:https";
import { BATCH_TYPE, type BatchAnswer, isJsonObject } from "@sm/core";

/** Where the hub is, and who one is there. */
export interface HubPlace {
  /** Of the hub's service. */
  url: string;
  /** A file with an API token of the hub. */
  tokenFile: string;
}

/** Why a batch was not delivered, for people. */
export class HubProblem extends Error {
  override readonly name = "HubProblem";
  /** When the hub wants to be asked again, in milliseconds; `null` where it has not said so. */
  readonly retryAfterMs: number | null;

  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number | null } = {}) {
    super(message, { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** Without a word from the hub, which may have to wait for its database. */
const SILENCE_MS = 60_000;
/** As long as hubs keep a connection that rests, or less. */
const KEEP_ALIVE_MS = 60_000;
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;
const MOST_TOKEN_BYTES = 4_096;

/** One connection to a hub, kept between batches: a new one costs more than an appended line. */
export class HubConnection {
  readonly #place: HubPlace;
  readonly #url: URL;
  readonly #agent: HttpAgent | HttpsAgent;

  constructor(place: HubPlace) {
    this.#place = place;
    this.#url = new URL("api/hub", place.url.endsWith("/") ? place.url : `${place.url}/`);
    const Agent = this.#url.protocol === "https:" ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, keepAliveMsecs: KEEP_ALIVE_MS });
  }

  /** Rejects with HubProblem, and where the signal is aborted with its reason. */
  async send(body: Uint8Array, signal: AbortSignal): Promise<BatchAnswer> {
    const token = await this.#token();
    const { status, text, retryAfter } = await this.#post(body, token, signal);
    const answer = parsed(text);
    if (status === 200 && isJsonObject(answer?.data)) return answer.data as unknown as BatchAnswer;
    throw this.#refusal(status, messageIn(answer), retryAfter);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Read each time: it may have been replaced. */
  async #token(): Promise<string> {
    const { tokenFile } = this.#place;
    let token: string;
    try {
      token = (await readFile(tokenFile, "utf8")).slice(0, MOST_TOKEN_BYTES).trim();
    } catch (error) {
      throw new HubProblem(`The token for the hub cannot be read from ${tokenFile} (${reasonOf(error)}).`, {
        cause: error,
      });
    }
    if (!/^[\x21-\x7e]+$/.test(token)) throw new HubProblem(`${tokenFile} does not contain a token and nothing else.`);
    return token;
  }

  #post(
    body: Uint8Array,
    token: string,
    signal: AbortSignal,
  ): Promise<{ status: number; text: string; retryAfter: string | undefined }> {
    const request = this.#url.protocol === "https:" ? requestOverHttps : requestOverHttp;
    return new Promise((resolve, reject) => {
      const failed = (error: Error) =>
        reject(
          signal.aborted
            ? signal.reason
            : new HubProblem(`The hub at ${this.#place.url} does not answer (${reasonOf(error)}).`, { cause: error }),
        );
      const outgoing = request(
        this.#url,
        {
          method: "POST",
          agent: this.#agent,
          signal,
          timeout: SILENCE_MS,
          headers: { Authorization: `Bearer ${token}`, "Content-Type": BATCH_TYPE, "Content-Length": body.length },
        },
        (incoming) => {
          textOf(incoming).then(
            (text) => resolve({ status: incoming.statusCode ?? 0, text, retryAfter: incoming.headers["retry-after"] }),
            failed,
          );
        },
      );
      outgoing.on("timeout", () => outgoing.destroy(new Error("it was silent for a minute")));
      outgoing.on("error", failed);
      outgoing.end(body);
    });
  }

  #refusal(status: number, message: string | null, retryAfter: string | undefined): HubProblem {
    const { url, tokenFile } = this.#place;
    const said = message === null ? "" : ` It says: ${message}`;
    const seconds = Number(retryAfter);
    const retryAfterMs = Number.isFinite(seconds) && retryAfter !== undefined ? seconds * 1_000 : null;
    if (status === 401 || status === 403) {
      return new HubProblem(`The hub at ${url} refuses the token in ${tokenFile}.${said}`, { retryAfterMs });
    }
    if (status === 404) return new HubProblem(`At ${url} there is no hub, or one of an older version.${said}`);
    if (status === 413)
      return new HubProblem(`The hub at ${url}, or a proxy before it, refuses so many bytes at once.${said}`);
    return new HubProblem(`The hub at ${url} cannot take anything now (HTTP ${status}).${said}`, { retryAfterMs });
  }
}

function textOf(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    incoming.on("data", (piece: Buffer) => {
      length += piece.length;
      pieces.push(piece);
      if (length > MOST_ANSWER_BYTES) incoming.destroy(new Error("its answer has no end"));
    });
    incoming.on("end", () => resolve(Buffer.concat(pieces).toString("utf8")));
    incoming.on("error", reject);
  });
}

function parsed(text: string): { data?: unknown; error?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function messageIn(answer: { error?: unknown } | null): string | null {
  const error = answer?.error;
  return isJsonObject(error) && typeof error.message === "string" ? error.message.slice(0, 500) : null;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

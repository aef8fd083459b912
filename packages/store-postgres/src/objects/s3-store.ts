import { createHash } from "node:crypto";
import { AppError } from "@sm/core";
import { AwsClient } from "aws4fetch";
import { type ObjectStore, REQUEST_MS, type StoredObject, unavailableStore } from "./object-store.ts";
import type { S3Credentials } from "./s3-credentials.ts";

export interface S3StoreOptions {
  bucket: string;
  /** Default: that of Amazon for the region. */
  endpoint?: string;
  /** Default: `us-east-1`, which most others than Amazon take for theirs. */
  region?: string;
  /** In front of all keys: several hubs may share a bucket. Ends with `/` if it is not empty. */
  prefix?: string;
  /** Whether the bucket is in the path and not in the name of the host; default: with an endpoint. */
  pathStyle?: boolean;
  /** Asked for again where they are refused: they may have been replaced. */
  credentials(): Promise<S3Credentials>;
  /** Of one request; default 15 seconds. */
  timeoutMs?: number;
}

interface Answer {
  status: number;
  /** Of an error, as S3 names it; empty where it has no name. */
  code: string;
  body: Buffer;
}

const DEFAULT_REGION = "us-east-1";
/** Of a request that the store answers with an error of its own, after 50 to 100 ms. */
const RETRIES = 2;

/** Objects of a bucket of Amazon S3, or of what speaks as it does: MinIO, Ceph, R2. */
export class S3Store implements ObjectStore {
  readonly name: string;
  readonly #options: S3StoreOptions;
  readonly #address: string;
  #client: Promise<AwsClient> | null = null;

  constructor(options: S3StoreOptions) {
    const { bucket, region = DEFAULT_REGION, endpoint, pathStyle = endpoint !== undefined, prefix = "" } = options;
    const host = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
    if (!pathStyle) host.hostname = `${bucket}.${host.hostname}`;
    const base = `${host.origin}${host.pathname.replace(/\/$/, "")}`;
    this.#address = pathStyle ? `${base}/${bucket}` : base;
    this.#options = options;
    this.name = `${this.#address}/${prefix}`;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const headers = {
      "Content-Type": "application/octet-stream",
      // So that the store compares what it gets with what was sent.
      "X-Amz-Content-Sha256": createHash("sha256").update(bytes).digest("hex"),
    };
    const request = { method: "PUT", headers, body: bytes as Uint8Array<ArrayBuffer> };
    const answer = await this.#send(this.#urlOf(key), request);
    if (answer === null) throw unavailableStore(new Error("The store has not kept an object."));
  }

  async get(key: string, length?: number): Promise<Buffer | null> {
    if (length === 0) return Buffer.alloc(0);
    const headers = length === undefined ? {} : { Range: `bytes=0-${length - 1}` };
    const answer = await this.#send(this.#urlOf(key), { method: "GET", headers });
    return answer === null ? null : answer.subarray(0, length ?? answer.length);
  }

  async delete(key: string): Promise<void> {
    await this.#send(this.#urlOf(key), { method: "DELETE" });
  }

  async *list(folder: string): AsyncGenerator<StoredObject, void> {
    const { prefix = "" } = this.#options;
    for (let token: string | null = null; ; ) {
      const query = new URLSearchParams({ "list-type": "2", prefix: `${prefix}${folder}/` });
      if (token !== null) query.set("continuation-token", token);
      const answer: Buffer | null = await this.#send(`${this.#address}/?${query}`, { method: "GET" });
      if (answer === null) throw unavailableStore(new Error(`There is no bucket ${this.#address}.`));
      const text = answer.toString();
      for (const [object] of text.matchAll(/<Contents>.*?<\/Contents>/gs)) {
        // Keys have no characters that XML writes otherwise.
        const key = /<Key>([^<]*)<\/Key>/.exec(object)?.[1];
        const bytes = /<Size>(\d+)<\/Size>/.exec(object)?.[1];
        if (key === undefined || bytes === undefined) throw unavailableStore(new Error("The store lists no sizes."));
        yield { key: key.slice(prefix.length), bytes: Number(bytes) };
      }
      token = tokenIn(text);
      if (token === null) return;
    }
  }

  #urlOf(key: string): string {
    return `${this.#address}/${this.#options.prefix ?? ""}${key}`;
  }

  /** The body of the answer; `null` for what is not there. */
  async #send(url: string, request: RequestInit): Promise<Buffer | null> {
    try {
      const answer = await this.#answer(url, request);
      if (!isRefusal(answer)) return bodyOf(answer);
      // The credentials may have been replaced by others meanwhile.
      this.#client = null;
      return bodyOf(await this.#answer(url, request));
    } catch (error) {
      throw error instanceof AppError ? error : unavailableStore(error);
    }
  }

  async #answer(url: string, request: RequestInit): Promise<Answer> {
    this.#client ??= this.#newClient();
    const client = await this.#client.catch((error: unknown) => {
      this.#client = null;
      throw error;
    });
    const signal = AbortSignal.timeout(this.#options.timeoutMs ?? REQUEST_MS);
    // What is signed for one host is for no other.
    const response = await client.fetch(url, { ...request, signal, redirect: "manual" });
    const body = Buffer.from(await response.arrayBuffer());
    const code = response.ok ? "" : (/<Code>([^<]*)<\/Code>/.exec(body.toString())?.[1] ?? "");
    return { status: response.status, code, body };
  }

  async #newClient(): Promise<AwsClient> {
    const { region = DEFAULT_REGION, credentials } = this.#options;
    return new AwsClient({ ...(await credentials()), region, service: "s3", retries: RETRIES });
  }
}

/** Codes of a 404 that have nothing to do with who asks. */
const ABSENT_OBJECT = "NoSuchKey";
const ABSENT_BUCKET = "NoSuchBucket";

/** Whether others may be let in. Some stores say that they do not know a user with 404. */
function isRefusal({ status, code }: Answer): boolean {
  return status === 401 || status === 403 || (status === 404 && code !== ABSENT_OBJECT && code !== ABSENT_BUCKET);
}

/** @throws Error for any answer but a success, and that there is no such object: any other 404 says nothing of it. */
function bodyOf({ status, code, body }: Answer): Buffer | null {
  if (status >= 200 && status < 300) return body;
  if (status === 404 && code === ABSENT_OBJECT) return null;
  throw new Error(`The store answers ${status} ${code}.`);
}

function tokenIn(text: string): string | null {
  const token = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(text)?.[1];
  return token === undefined ? null : token.replace(/&(?:quot|apos|lt|gt|amp);/g, (name) => ENTITIES[name] ?? name);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&apos;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
};

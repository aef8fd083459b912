import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DirectoryStore } from "./directory-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { type S3Server, startS3 } from "./s3-server.fixture.ts";
import { S3Store } from "./s3-store.ts";

const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7_919) % 256));
const KEY = "4f2a91c0-0000-4000-8000-000000000000/ab/abcdef-1";
const OTHER = "4f2a91c0-0000-4000-8000-000000000000/cd/cdef-2";

let directory: string;
let s3: S3Server;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "objects-"));
  s3 = await startS3();
});

afterAll(async () => {
  await s3.close();
  rmSync(directory, { recursive: true });
});

/** Lengths by key. */
async function listed(store: ObjectStore, folder: string): Promise<Record<string, number>> {
  const objects: Record<string, number> = {};
  for await (const { key, bytes } of store.list(folder)) objects[key] = bytes;
  return objects;
}

describe.each<[string, () => ObjectStore]>([
  ["a directory", () => new DirectoryStore(directory)],
  ["a bucket", () => new S3Store({ ...s3.options, prefix: "a/" })],
])("objects in %s", (_, newStore) => {
  it("are there as they were written, from their beginning on, until they are deleted", async () => {
    const store = newStore();
    expect(await store.get(KEY)).toBeNull();
    expect(await listed(store, "4f2a91c0-0000-4000-8000-000000000000")).toEqual({});
    await store.put(KEY, BYTES);
    await store.put(OTHER, BYTES.subarray(0, 10));
    expect((await newStore().get(KEY))?.equals(BYTES)).toBe(true);
    for (const length of [0, 1, 1_000, BYTES.length, BYTES.length + 1]) {
      expect((await store.get(KEY, length))?.equals(BYTES.subarray(0, length))).toBe(true);
    }
    expect(await listed(store, "4f2a91c0-0000-4000-8000-000000000000")).toEqual({ [KEY]: BYTES.length, [OTHER]: 10 });
    expect(await listed(store, "4f2a91c0-0000-4000-8000-000000000001")).toEqual({});
    await store.delete(KEY);
    await store.delete(KEY);
    expect(await store.get(KEY)).toBeNull();
    expect(await store.get(KEY, 5)).toBeNull();
    expect(await listed(store, "4f2a91c0-0000-4000-8000-000000000000")).toEqual({ [OTHER]: 10 });
    await store.delete(OTHER);
  });
});

it("a bucket lists more objects than one answer has", async () => {
  const tokens: (string | null)[] = [];
  const server = createHttpServer(({ url = "" }, response) => {
    const token = new URL(url, "http://x").searchParams.get("continuation-token");
    tokens.push(token);
    const next = token === null ? "<NextContinuationToken>a&amp;b=</NextContinuationToken>" : "";
    const of = (number: number) => `<Key>p/u/${number}</Key><ETag>"ab"</ETag>\n<Size>${number}00</Size>`;
    const contents = `<Contents>${of(2 * tokens.length - 1)}</Contents><Contents>${of(2 * tokens.length)}</Contents>`;
    response.end(`<ListBucketResult><KeyCount>2</KeyCount>${contents}${next}</ListBucketResult>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await listed(new S3Store({ ...s3.options, endpoint, prefix: "p/" }), "u")).toEqual({
    "u/1": 100,
    "u/2": 200,
    "u/3": 300,
    "u/4": 400,
  });
  expect(tokens).toEqual([null, "a&b="]);
  server.close();
});

it("a bucket has an object only where the store says so, and lacks it only where it says that", async () => {
  const server = createHttpServer((_request, response) => response.writeHead(404).end("<h1>Not here</h1>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = new S3Store({ ...s3.options, endpoint });
  for (const ask of [() => store.put(KEY, BYTES), () => store.get(KEY), () => store.delete(KEY)]) {
    await expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  }
  server.close();
});

it("a directory has whole files for its account alone, and nothing outside of it", async () => {
  const store = new DirectoryStore(directory);
  await store.put("u/aa/one", BYTES);
  const folder = join(directory, "u", "aa");
  expect(readdirSync(folder)).toEqual(["one"]);
  expect(statSync(join(folder, "one")).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const key of ["../x", "/x", "u/../../x", "u//x", ""]) {
    await expect(store.put(key, BYTES)).rejects.toThrow(/no key/);
  }
});

it("a store that does not answer is unavailable, and waited for no longer than is allowed", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const hanging = new S3Store({ ...s3.options, endpoint: `http://127.0.0.1:${port}`, timeoutMs: 200 });
  const refusing = new S3Store({ ...s3.options, endpoint: "http://127.0.0.1:1" });
  const wrong = new S3Store({
    ...s3.options,
    credentials: async () => ({ accessKeyId: "nobody", secretAccessKey: "wrong-secret" }),
  });
  const nowhere = new S3Store({ ...s3.options, bucket: "another-bucket" });
  const unmounted = new DirectoryStore(join(directory, "not-mounted"));
  for (const store of [hanging, refusing, wrong, nowhere, unmounted]) {
    const error = await store.put(KEY, BYTES).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "UNAVAILABLE", details: { retry_after_ms: expect.any(Number) } });
    expect(String(error)).not.toMatch(/secret|127\.0\.0\.1/);
  }
  silent.close();
});

it("takes credentials that have replaced others", async () => {
  const { credentials } = s3.options;
  let asked = 0;
  const store = new S3Store({
    ...s3.options,
    credentials: async () => (++asked === 1 ? { accessKeyId: "old", secretAccessKey: "old" } : credentials()),
  });
  await store.put("u/x", BYTES);
  expect(asked).toBe(2);
});

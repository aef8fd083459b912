import { ShareStore } from "./share-store.ts";

// Shares one page, and then one that never ends, until it is killed. The line that it prints is the secret of the first,
// when the second has begun.

const [dataDir = ""] = process.argv.slice(2);
const store = new ShareStore(dataDir);
const share = {
  session_path: "/s/a.jsonl",
  title: "Tides",
  created_at: "2026-03-01T10:00:00.000Z",
  expires_at: "2999-01-01T00:00:00.000Z",
};

async function* page(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("page");
}

const { secret } = await store.add(share, async () => page());

async function* endless(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("half a page");
  process.stdout.write(`${secret}\n`);
  // Keeps the process alive.
  await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1));
}

await store.add(share, async () => endless());

// Searches sessions without a service: node search-library.mjs ~/.pi ~/.cache/my-index tide clock
import { join, resolve } from "node:path";
import { openLibrary } from "@sm/core/node";

const [home, index, ...words] = process.argv.slice(2);
const agentHome = resolve(home);
const library = await openLibrary({
  agentHome,
  agentDir: join(agentHome, "agent"),
  sessionPaths: [],
  dataDir: resolve(index),
  watch: false,
  log: { info() {}, warn: console.error, error: console.error },
});
try {
  // Everything is read the first time, and afterwards only what has changed.
  await library.ready();
  const { hits, total } = await library.search({ query: words.join(" "), limit: 10, per_session: 1 });
  for (const { session_title, snippet } of hits) console.log(`${session_title}: ${snippet.replaceAll(/\s+/g, " ")}`);
  console.log(`${total} hits`);
} finally {
  await library.close();
}

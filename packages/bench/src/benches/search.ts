import { join } from "node:path";
import type { Corpus } from "../corpus/corpus.ts";
import { NEEDLE_WAYS, searchesFor } from "../corpus/needle.ts";
import type { Service } from "../measure/service.ts";
import { type BenchRow, judge } from "../report.ts";
import type { Stage } from "./bench.ts";
import { searchSubjects, searchTimes, warmUp } from "./searches.ts";

/** How long answers take, whether every needle is found, and nothing that is none. */
export async function search(stage: Stage): Promise<BenchRow[]> {
  const { corpus } = stage;
  const { stateDirectory } = await stage.coldIndex();
  return stage.withService(stateDirectory, async (service) => {
    await service.ready();
    await warmUp(service);
    return [
      ...(await searchTimes(service, corpus, searchSubjects(corpus))),
      ...(await recall(service, corpus)),
      await decoysFound(service, corpus),
    ];
  });
}

/** The share of needles that a search finds, by words, by a part of their characters and with every field. */
async function recall(service: Service, { agentHome, needles }: Corpus): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const wanted of NEEDLE_WAYS) {
    const searches = needles.flatMap((needle) =>
      searchesFor(needle)
        .filter(({ way }) => way === wanted)
        .map(({ query, role }) => ({ needle, query, role })),
    );
    let found = 0;
    for (const { needle, query, role } of searches) {
      const { hits } = await service.search({ query, role });
      const isThere = hits.some(
        (hit) =>
          hit.session_path === join(agentHome, needle.path) &&
          hit.kind === needle.kind &&
          // A label may be shown at the entry that bears it.
          (hit.entry_id === needle.entryId || needle.kind === "label"),
      );
      if (isThere) found++;
      else process.stderr.write(`not found: ${needle.place}, ${needle.form}, role ${role}: ${query}\n`);
    }
    rows.push(
      judge({
        what: `recall of ${needles.length} planted texts, all kinds and roles, by ${wanted}`,
        measured: (100 * found) / searches.length,
        unit: "%",
        atLeast: 100,
      }),
    );
  }
  return rows;
}

/** Counts texts that a search finds although nobody sees them, or they are none. */
async function decoysFound(service: Service, { decoys }: Corpus): Promise<BenchRow> {
  let found = 0;
  for (const { place, text } of decoys) {
    for (const query of [text, `~${text}`]) {
      const { hits } = await service.search({ query });
      if (hits.length === 0) continue;
      found++;
      process.stderr.write(`found, but should not be: ${place}: ${query}\n`);
    }
  }
  return judge({
    what: `found of ${decoys.length} texts in images, signatures, payloads and hidden data`,
    measured: found,
    unit: "",
    atMost: 0,
  });
}

import type { SearchHit } from "@sm/core";
import type { Service } from "../measure/service.ts";
import { RELEVANCE_QUERIES, type RelevanceQuery } from "../relevance/queries.ts";
import { datedQuery, writeRelevanceCorpus } from "../relevance/relevance-corpus.ts";
import { type JudgedAnswer, missing, rankOf, scoreOf } from "../relevance/score.ts";
import { WRITTEN_SESSIONS } from "../relevance/sessions.ts";
import { type BenchRow, judge } from "../report.ts";
import type { Stage } from "./bench.ts";

/** Enough to tell how far below the first ten a session came. */
const SESSIONS_ASKED_FOR = 50;

type Answer = RelevanceQuery & JudgedAnswer & { hits: SearchHit[] };

/** Whether the session that somebody has in mind comes first, among others that say the same words. */
export async function relevance(stage: Stage): Promise<BenchRow[]> {
  const now = Date.now();
  const { agentHome, paths } = writeRelevanceCorpus(stage.newDirectory(), now);
  const answers = await stage.withService(stage.newDirectory(), (service) => askAll(service, paths, now), agentHome);
  for (const answer of answers) tellWhatIsWrong(answer);
  const { meanReciprocalRank, recallAtTen } = scoreOf(answers);
  const what = `${answers.length} queries with known answers`;
  return [
    judge({ what: `${what}, mean reciprocal rank`, measured: meanReciprocalRank, unit: "", atLeast: 0.95 }),
    judge({ what: `${what}, recall among the first 10`, measured: 100 * recallAtTen, unit: "%", atLeast: 98 }),
  ];
}

async function askAll(service: Service, paths: ReadonlyMap<string, string>, now: number): Promise<Answer[]> {
  await service.ready();
  for (const { id, isFavorite } of WRITTEN_SESSIONS) {
    const path = paths.get(id);
    if (isFavorite === true && path !== undefined) await service.toggleFavorite(path);
  }
  const answers: Answer[] = [];
  for (const asked of RELEVANCE_QUERIES) {
    const query = datedQuery(asked.query, now);
    const { hits } = await service.search({ query, per_session: 1, limit: SESSIONS_ASKED_FOR });
    answers.push({ ...asked, query, hits, found: [...new Set(hits.map((hit) => hit.session_id))] });
  }
  return answers;
}

function tellWhatIsWrong(answer: Answer): void {
  const rank = rankOf(answer);
  const absent = missing(answer);
  if (rank === 1 && absent.length === 0) return;
  const above = answer.found.slice(0, Math.min(3, (rank ?? Number.POSITIVE_INFINITY) - 1)).join(", ");
  process.stderr.write(
    [
      `${answer.kind}: ${answer.query}`,
      `  wanted ${answer.wanted.join(", ")}: ${rank === null ? "not found" : `at ${rank}`}`,
      ...(absent.length === 0 ? [] : [`, not among the first ten: ${absent.join(", ")}`]),
      ...(above === "" ? [] : [`, below ${above}`]),
      "\n",
    ].join(""),
  );
}

import { expect, it } from "vitest";
import { SessionText, scanAll, TestHome, until, untilIndexed } from "./library.fixture.ts";

const ended = (stopReason: string) =>
  new SessionText()
    .user("otter")
    .message({ role: "assistant", content: [], stopReason, errorMessage: "529 overloaded", provider: "p", model: "m" });

it("sessions say how their last run has ended, and are found by it until another one begins", async () => {
  await using home = await TestHome.create();
  const failing = ended("error");
  const failed = await home.write("failed.jsonl", failing.lines);
  const aborted = await home.write("aborted.jsonl", ended("aborted").lines);
  const good = await home.write("good.jsonl", new SessionText().user("otter").assistant("Done.").lines);
  const library = await home.open({ watch: false });
  await untilIndexed(library);

  const records = await scanAll(library);
  expect(Object.fromEntries(records.map((one) => [one.path, [one.outcome, one.outcome_message]]))).toEqual({
    [failed]: ["failed", "529 overloaded"],
    [aborted]: ["aborted", null],
    [good]: [null, null],
  });
  const listed = async (query: string) => (await library.list({ query })).sessions.map(({ path }) => path).sort();
  const found = async (query: string) =>
    (await library.search({ query })).hits.map(({ session_path }) => session_path).sort();
  expect(await listed("is:failed")).toEqual([failed]);
  expect(await listed("-is:failed -is:aborted")).toEqual([good]);
  expect(await found("otter is:aborted")).toEqual([aborted]);
  expect(await found("otter (is:aborted OR is:failed)")).toEqual([aborted, failed].sort());

  const before = failing.lines.length;
  await home.append(failed, failing.user("again").lines.slice(before));
  await scanAll(library);
  await until(async () => (await listed("is:failed")).length === 0);
  expect((await library.session(failed)).outcome).toBeNull();
  expect(await found("otter is:failed")).toEqual([]);
});

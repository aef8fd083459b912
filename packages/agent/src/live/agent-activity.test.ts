import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AgentActivity } from "./agent-activity.ts";
import type { AgentRecord } from "./agent-record.ts";

/** A record, or an answer to `get_state`, which has no type. */
type Step = AgentRecord | { type?: undefined; isStreaming: boolean; isCompacting: boolean };

function after(steps: readonly Step[]): AgentActivity {
  const activity = new AgentActivity();
  for (const step of steps) {
    if (step.type === undefined) activity.observeState({ ...step });
    else activity.observe(step);
  }
  return activity;
}

const said = (...types: string[]): AgentRecord[] => types.map((type) => ({ type }));
const state = (isStreaming: boolean, isCompacting = false) => ({ isStreaming, isCompacting });

describe("AgentActivity", () => {
  it.each<[string, Step[], boolean, boolean]>([
    ["nothing yet", [], false, false],
    ["a run", said("agent_start", "turn_start"), true, false],
    ["its end, in doubt", said("agent_start", "agent_end"), true, true],
    ["its end, for sure", said("agent_start", "agent_end", "agent_settled"), false, false],
    ["its end, asked for", [...said("agent_start", "agent_end"), state(false)], false, false],
    ["its end, asked too early", [...said("agent_start", "agent_end"), state(true)], true, true],
    ["the next run already", said("agent_start", "agent_end", "agent_start"), true, false],
    ["a wait for a retry", [...said("agent_start", "agent_end", "auto_retry_start"), state(false)], true, false],
    [
      "a retry given up",
      [...said("agent_end", "auto_retry_start"), state(false), ...said("auto_retry_end")],
      false,
      false,
    ],
    ["a retry announced", [...said("agent_start"), { type: "agent_end", willRetry: true }, state(false)], true, false],
    ["a compaction", said("compaction_start"), true, false],
    ["a compaction of old versions", said("auto_compaction_start"), true, false],
    ["the end of one", said("compaction_start", "compaction_end"), false, false],
    ["a compaction that state tells", [state(false, true)], true, false],
    ["a run that state tells", [state(true)], true, false],
  ])("knows %s", (_, steps, isBusy, isEnding) => {
    const activity = after(steps);
    expect([activity.isBusy, activity.isEnding]).toEqual([isBusy, isEnding]);
  });

  it("is busy from the start of the first run to the end of the last, whatever lies between", () => {
    const retry = fc.constantFrom<Step[]>(
      said("auto_retry_start"),
      [...said("auto_retry_start"), state(false)],
      [state(true), ...said("auto_retry_start")],
    );
    const run = (ends: boolean) => [...said("agent_start", "turn_start", "message_end", "agent_end"), state(ends)];
    const end = fc.constantFrom<Step[]>([state(false)], said("agent_settled"), [state(true), state(false)]);
    fc.assert(
      fc.property(fc.array(retry, { maxLength: 4 }), end, (retries, settled) => {
        const steps = [...retries.flatMap((waiting) => [...run(true), ...waiting]), ...run(true)];
        for (let count = 1; count <= steps.length; count += 1) {
          expect(after(steps.slice(0, count)).isBusy).toBe(true);
        }
        const over = after([...steps, ...settled]);
        expect([over.isBusy, over.isEnding]).toEqual([false, false]);
      }),
    );
  });
});

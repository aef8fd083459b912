import { runChaos } from "../hub/chaos.ts";
import { HubStack } from "../hub/hub-stack.ts";
import { MachinesProcess } from "../hub/machines-process.ts";
import type { LoadOptions } from "../options.ts";
import { type BenchRow, judge } from "../report.ts";
import type { Stage } from "./bench.ts";

const USERS = 5;
const MACHINES_OF_EACH = 10;
const SESSIONS_OF_EACH = 4;
/** 100 lines a second of all together. */
const PAUSE_MS = 2_000;
const KILLING = { apart: 6_000, down: 1_500 };

/** 50 machines write 200 sessions at once while both servers and PostgreSQL are killed in turns: what is lost, or there twice. */
export async function hubChaos(stage: Stage, { minutes }: LoadOptions): Promise<BenchRow[]> {
  const stack = await HubStack.start(stage.newDirectory());
  try {
    const result = await runChaos(stack, {
      directory: stage.newDirectory(),
      users: USERS,
      machinesOfEach: MACHINES_OF_EACH,
      sessionsOfEach: SESSIONS_OF_EACH,
      pauseMs: PAUSE_MS,
      writeForMs: minutes * 60_000,
      killing: KILLING,
      open: (task) => MachinesProcess.start(task),
      say: (text) => process.stderr.write(`${text}\n`),
    });
    const { kills, lines, rewrites } = result;
    const what = `${USERS * MACHINES_OF_EACH} machines, ${USERS * MACHINES_OF_EACH * SESSIONS_OF_EACH} sessions, ${minutes} min`;
    const none = (name: string, measured: number) => judge({ what: name, measured, unit: "", atMost: 0 });
    return [
      judge({
        what: `lines written by ${what}`,
        measured: lines,
        unit: "",
        note: `${rewrites} sessions written anew; servers killed ${kills.servers} times, PostgreSQL ${kills.postgres} times`,
      }),
      none("sessions that are missing, or there twice", result.sessions),
      none("sessions with other bytes than on their machine", result.bytes),
      none("lines that no search finds", result.lost),
      none("lines that a search finds twice", result.twice),
      none("lines found that are in no session any more", result.gone),
      judge({
        what: "until everything had arrived, from the last line on",
        measured: result.settledAfterMs / 1000,
        unit: "s",
      }),
    ];
  } finally {
    await stack.close();
  }
}

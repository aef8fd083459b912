import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ToolCallBlock } from "../corpus/entry.ts";
import { MODELS } from "../corpus/model.ts";
import { Random } from "../corpus/random.ts";
import { sessionPath } from "../corpus/session-files.ts";
import { SessionWriter } from "../corpus/session-writer.ts";
import { writeClaudeHome } from "./claude-home.ts";
import { answered, calls, returned, said, tellShowcase } from "./showcase.ts";
import { tellSurvey } from "./survey.ts";
import { PROJECTS, TASKS, type Task, titleOf } from "./work.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Of a day, at which somebody begins something. */
const HOURS = [16, 14, 11, 9];

const TOOLS = [
  ["bash", { command: "npm test" }],
  ["read", { path: "src/index.ts" }],
  ["edit", { path: "src/index.ts", edits: [{ oldText: "a", newText: "b" }] }],
  ["grep", { pattern: "TODO", path: "src" }],
  ["write", { path: "notes.md", content: "Done." }],
] satisfies [name: string, parameters: ToolCallBlock["arguments"]][];

/** An invented home of the agent. */
export interface Home {
  folder: string;
  /** The session that is shown. */
  showcase: string;
  /** A session that looks around and then changes some files. */
  survey: string;
  /** A session of Claude Code that has started agents. */
  delegated: string;
  /** The home of Claude Code. */
  claude: string;
  /** The folder of the project that is worked on most. */
  project: string;
  /** Paths of sessions by their title, the newest where there are several. */
  byTitle: ReadonlyMap<string, string>;
}

/** Writes a year of somebody's work that ends a few minutes before `now`. */
export function writeHome(folder: string, now: number): Home {
  const random = new Random(7);
  const byTitle = new Map<string, string>();
  for (const project of PROJECTS) mkdirSync(join(folder, project), { recursive: true });

  const write = (project: string, startedAt: number, tell: (writer: SessionWriter) => void): string => {
    const header = { id: uuid(startedAt, random), cwd: join(folder, project), startedAt };
    const path = join(folder, sessionPath(header));
    mkdirSync(dirname(path), { recursive: true });
    const writer = new SessionWriter(path, header, random);
    tell(writer);
    writer.close();
    return path;
  };
  const tellTask = (task: Task, startedAt: number) =>
    write(task.project, startedAt, (writer) => {
      const model = MODELS[random.pickSkewed(MODELS.map((_, index) => index))];
      const turns = 1 + random.below(6);
      for (let turn = 0; turn < turns; turn++) {
        writer.append(said(turn === 0 ? task.question : "Go on.", writer.time));
        writer.wait(MINUTE / 4, 3 * MINUTE);
        const read = 4_000 + random.below(60_000);
        for (let used = random.below(4); used > 0; used--) {
          const [tool, target] = random.pickSkewed(TOOLS);
          const id = `call-${turn}-${used}`;
          writer.append(answered([calls(id, tool, target)], writer.time, read, model));
          writer.append(returned(id, tool, "Done.", writer.time));
        }
        writer.append(answered([{ type: "text", text: task.answer }], writer.time, read, model));
        writer.wait(MINUTE / 2, 6 * MINUTE);
      }
      writer.append({ type: "session_info", name: task.title });
    });

  // More on weekdays, in waves, and less the longer ago.
  for (let day = 364; day >= 4; day--) {
    const midnight = startOfDay(now - day * DAY);
    const isWeekend = [0, 6].includes(new Date(midnight).getDay());
    const most = Math.round((isWeekend ? 1 : 4) * (1.3 - day / 365) * (1 + Math.sin(day / 16)));
    for (let count = random.below(most + 1); count > 0; count--) {
      const task = random.pick(TASKS);
      const title = titleOf(task.project, (values) => random.pick(values));
      tellTask({ ...task, title }, midnight + (8 + random.below(11)) * HOUR + random.below(59) * MINUTE);
    }
  }
  // The newest ones, each task once: the list shows them one below the other.
  TASKS.forEach((task, index) => {
    const days = Math.floor(index / HOURS.length);
    const hour = HOURS[index % HOURS.length] ?? 0;
    const at = days === 0 ? now - (2 + 1.2 * index) * HOUR : startOfDay(now - days * DAY) + hour * HOUR;
    byTitle.set(task.title, tellTask(task, at + random.below(50) * MINUTE));
  });
  const startedAt = now - 40 * MINUTE;
  const showcase = write("lantern", startedAt, (writer) => {
    tellShowcase(
      (body) => {
        writer.wait(MINUTE, 2 * MINUTE);
        return writer.append(body);
      },
      (id) => {
        writer.leaf = id;
      },
      startedAt,
    );
  });
  const surveyedAt = now - 90 * MINUTE;
  const survey = write("lantern", surveyedAt, (writer) =>
    tellSurvey(
      (body) => {
        writer.wait(MINUTE / 20, MINUTE / 4);
        return writer.append(body);
      },
      () => writer.time,
    ),
  );
  const claude = join(folder, "claude");
  const project = join(folder, "lantern");
  return { folder, showcase, survey, delegated: writeClaudeHome(claude, project, now), claude, project, byTitle };
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** A UUID of version 7, as the agent makes them. */
function uuid(time: number, random: Random): string {
  const stamp = time.toString(16).padStart(12, "0");
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${random.hex(3)}-8${random.hex(3)}-${random.hex(12)}`;
}

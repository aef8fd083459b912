import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Desktop } from "./desktop.ts";

/** The icon of the application as a desktop shows it. */
export interface TrayIcon {
  status: "Passive" | "Active" | "NeedsAttention";
  title: string;
  /** Widths and heights. */
  pictures: [number, number][];
  menu: { text: string; canBeChosen: boolean }[];
}

/** A tray and notifications, which a test machine has not. */
export interface StandIn extends AsyncDisposable {
  /** `null` before the application has an icon in it. */
  tray(): Promise<TrayIcon | null>;
  /** Chooses the first item of the menu that contains a text; tells whether there is one. */
  choose(text: string): Promise<boolean>;
  notifications(): Promise<{ title: string; body: string }[]>;
  /** Clicks the newest notification. */
  click(): Promise<null>;
}

/** Starts it on the bus of a desktop: `examples/desktop_stand_in.rs`. */
export async function startStandIn(desktop: Desktop): Promise<StandIn> {
  const program = process.env.SESSION_MANAGER_STAND_IN;
  if (program === undefined) throw new Error("SESSION_MANAGER_STAND_IN names no program: npm run test:desktop does.");
  const child = spawn(program, [], {
    env: { ...process.env, ...desktop.environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error("The stand-in has ended.");
    return JSON.parse(value);
  };
  let last = answer();
  /** One after the other, so that each gets its own answer. */
  const ask = (command: string) => {
    last = last.then(() => {
      child.stdin.write(`${command}\n`);
      return answer();
    });
    return last;
  };
  await last;
  return {
    tray: () => ask("tray"),
    choose: (text) => ask(`choose ${text}`),
    notifications: () => ask("notifications"),
    click: () => ask("click"),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, "exit");
    },
  };
}

import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A window on the screen, as a person reaches it: by keys, whatever is in it. */
export interface ScreenWindow {
  id: string;
  type(text: string): Promise<void>;
  /** Presses keys one after the other, named as X names them. */
  press(...keys: string[]): Promise<void>;
}

/** Waits for a window whose title has these words in it, and turns the keyboard to it. */
export async function windowTitled(words: string, environment: NodeJS.ProcessEnv): Promise<ScreenWindow> {
  const xdotool = (...args: string[]) => run("xdotool", args, { env: environment });
  const { stdout } = await xdotool("search", "--sync", "--onlyvisible", "--name", words);
  const [id = ""] = stdout.split("\n");
  // There is no window manager that would.
  await xdotool("windowfocus", "--sync", id);
  return {
    id,
    async type(text) {
      await xdotool("type", "--delay", "20", text);
    },
    async press(...keys) {
      await xdotool("key", "--delay", "50", ...keys);
    },
  };
}

import type { Browser, Page } from "playwright-core";
import { newVisitor } from "./web-browser.ts";

/** The page as in the window of the desktop application, which answers as the test says. */
export interface DesktopPage extends AsyncDisposable {
  page: Page;
  /** What a command of the application has been asked for by now, oldest first. */
  asked(command: string): Promise<Record<string, string>[]>;
  /** What the tray shows. */
  tray(): Promise<object[]>;
  /** Tells the page an event of the window, as soon as it listens. */
  tell(event: "opened" | "menu", payload: object): Promise<void>;
}

export interface DesktopAnswers {
  /** Where the user saves; `null` where they do not. */
  savedAs?: string | null;
  /** What the application was started with. */
  pending?: object;
  /** What is wrong with showing a file. */
  revealProblem?: string;
  /** Whether somebody looks at the window; they do if absent. */
  isFocused?: boolean;
}

/** In the page: what Tauri puts there, as far as our page uses it. */
const APPLICATION = `(answers) => {
  const callbacks = [];
  const listeners = new Map();
  const told = [];
  const asked = [];
  const tell = () => {
    for (const [event, payload] of told) {
      if (listeners.has(event)) callbacks[listeners.get(event)]({ event, id: 1, payload });
    }
    const waiting = told.filter(([event]) => !listeners.has(event));
    told.splice(0, told.length, ...waiting);
  };
  const commands = {
    "plugin:event|listen": ({ event, handler }) => {
      listeners.set(event, handler);
      tell();
      return handler;
    },
    save_export: () => answers.savedAs ?? null,
    pending_place: () => answers.pending ?? null,
    reveal_in_file_manager: () => (answers.revealProblem ? Promise.reject(answers.revealProblem) : null),
  };
  globalThis.desktopAsked = (name) => asked.flatMap(([command, args]) => (command === name ? [args] : []));
  globalThis.desktopTell = (event, payload) => {
    told.push([event, payload]);
    tell();
  };
  globalThis.__TAURI_INTERNALS__ = {
    transformCallback: (callback) => callbacks.push(callback) - 1,
    invoke: async (command, args) => {
      asked.push([command, args]);
      return commands[command]?.(args) ?? null;
    },
  };
  if (answers.isFocused === false) document.hasFocus = () => false;
}`;

/** Opens an address in the window of an application that is none. */
export async function openDesktopPage(
  browser: Browser,
  address: string,
  answers: DesktopAnswers = {},
): Promise<DesktopPage> {
  const visitor = await newVisitor(browser, address, { script: `(${APPLICATION})(${JSON.stringify(answers)})` });
  const { page } = visitor;
  await page.goto(address);
  return {
    page,
    asked: (command) => page.evaluate(`desktopAsked(${JSON.stringify(command)})`),
    tray: () => page.evaluate(`desktopAsked("show_in_tray").at(-1)?.rows ?? []`),
    tell: (event, payload) => page.evaluate(`desktopTell(${JSON.stringify(event)}, ${JSON.stringify(payload)})`),
    [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose](),
  };
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { Builder, Capabilities, error, type WebDriver, type WebElement } from "selenium-webdriver";
import type { Desktop } from "./desktop.ts";
import type { RunningProcess } from "./processes.ts";
import type { User } from "./user.ts";

/** How long something may take to appear, in milliseconds: on a slow machine half a minute. */
export const PATIENCE_MS = 30_000;

/** In the page. WebDriver's own way to read text leaves out what an ellipsis may cut off. */
const FIND = `
  const [selector, text] = arguments;
  const elements = [...document.querySelectorAll(selector)];
  return elements.find((element) => element.checkVisibility() && element.textContent.includes(text)) ?? null;
`;

/** The application that is tested: an absolute path. */
export function applicationPath(): string {
  const path = process.env.SESSION_MANAGER_APPLICATION;
  if (path === undefined)
    throw new Error("SESSION_MANAGER_APPLICATION names no application: npm run test:desktop does.");
  return path;
}

/** The application with its window, driven from outside. */
export interface Application extends AsyncDisposable {
  driver: WebDriver;
  /** What the user's programs are started with on this desktop. */
  environment: Record<string, string>;
  /** The programs of the user that belong to the application. */
  processes(): Promise<RunningProcess[]>;
  /** Waits for an element that can be seen, by its selector, with this text in it. */
  find(selector: string, text?: string): Promise<WebElement>;
}

/** Starts the application as a user does and waits for its page. */
export async function openApplication(user: User, desktop: Desktop, args: string[] = []): Promise<Application> {
  const environment = { ...user.environment, ...desktop.environment };
  const port = await freePort();
  // All that tauri-driver adds to this program: these two variables let the web view be driven.
  const automated = { ...environment, TAURI_AUTOMATION: "true", TAURI_WEBVIEW_AUTOMATION: "true" };
  const server = spawn("WebKitWebDriver", [`--port=${port}`], {
    env: automated,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(`${url}/status`, server);
    const options = { binary: applicationPath(), args };
    // The name under which Tauri's web view says that it can be driven.
    const capabilities = new Capabilities({ browserName: "wry", "webkitgtk:browserOptions": options });
    const driver = await new Builder().usingServer(url).withCapabilities(capabilities).build();
    return {
      driver,
      environment,
      processes: async () => (await user.processes()).filter(({ pid }) => pid !== server.pid),

      find(selector, text = "") {
        const seen = () => driver.executeScript<WebElement | null>(FIND, selector, text).catch(unlessPageGoes);
        return driver.wait(seen, PATIENCE_MS, `There is no ${selector} with “${text}”.`) as Promise<WebElement>;
      },

      async [Symbol.asyncDispose]() {
        server.kill();
        if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
      },
    };
  } catch (reason) {
    server.kill();
    throw reason;
  }
}

/** A script that is asked for while one page gives way to the next is never answered. */
function unlessPageGoes(reason: unknown): null {
  if (reason instanceof error.NoSuchFrameError) return null;
  throw reason;
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`WebKitWebDriver has ended with ${server.exitCode}.`);
    try {
      const answer = await fetch(url);
      if (answer.ok) return;
    } catch {
      // It does not listen yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}

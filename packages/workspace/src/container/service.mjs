import { setTimeout as delay } from "node:timers/promises";
import { run } from "./engine.mjs";

/** Where compose.yaml publishes the service. */
const URL_OUTSIDE = "http://127.0.0.1:52131";
/** Of a machine that has other things to do. */
const PATIENCE_MS = 60_000;

/** The service that compose.yaml describes. */
export class ComposedService {
  #engine;
  #env;

  /** @param env what the variables of compose.yaml are replaced by. */
  constructor(engine, env) {
    this.#engine = engine;
    this.#env = { ...engine.env, ...env };
  }

  /** Runs podman-compose with compose.yaml and returns its output. */
  compose(...args) {
    return run("podman-compose", ["--project-name", "session-manager-test", ...args], {
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** The name that podman-compose has given the container. */
  get container() {
    return this.#engine.podman(
      "ps",
      "--all",
      "--quiet",
      "--filter",
      "label=com.docker.compose.service=session-manager",
    );
  }

  /** Runs a command in the container, as `docker compose exec` does. */
  exec(...command) {
    return this.#engine.podman("exec", this.container, ...command);
  }

  /** Looks up what podman knows about the container, by a template. */
  inspect(template) {
    return this.#engine.podman("inspect", "--format", template, this.container);
  }

  /** Sends a command through the published port. Returns the status and the answer. */
  async call(command, payload, token) {
    const body = JSON.stringify({ command, payload });
    const { status, text } = await this.#request("/api", { method: "POST", body }, token);
    return { status, ...JSON.parse(text) };
  }

  /** Gets a page through the published port. */
  get(path, token) {
    return this.#request(path, {}, token);
  }

  async #request(path, options, token) {
    // While podman is waited for, nobody notices that the service closes a connection that is kept.
    const headers = { Connection: "close", "Content-Type": "application/json" };
    if (token !== undefined) headers.Authorization = `Bearer ${token}`;
    const response = await fetch(new URL(path, URL_OUTSIDE), { ...options, headers });
    return { status: response.status, text: await response.text() };
  }

  /** Waits until every session can be searched. */
  async untilReady() {
    return until("every session can be searched", async () => {
      const { status, text } = await this.get("/health");
      const { index } = JSON.parse(text);
      return status === 200 && index.state === "ready" && index.pending === 0 ? index : null;
    });
  }
}

/**
 * Asks again and again until the answer is neither `null` nor `false`, and returns it. A service that cannot be
 * connected to is one that does not answer yet.
 */
export async function until(what, ask) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await askOnce(ask);
    if (answer !== null && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`After ${PATIENCE_MS / 1_000} s it is still not so that ${what}.`);
    await delay(20);
  }
}

async function askOnce(ask) {
  try {
    return await ask();
  } catch (error) {
    if (error.message === "fetch failed") return null;
    throw error;
  }
}

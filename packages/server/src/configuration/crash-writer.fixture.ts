import { writeSync } from "node:fs";
import { openUserState } from "@sm/core/node";
import { NO_OTHER_AGENTS } from "../no-other-agents.fixture.ts";
import { createConfiguration } from "./service.ts";

// Puts numbered configurations in force until it is killed, and prints the number of each when it is.

const [folder = "", first] = process.argv.slice(2);
const log = { info() {}, warn() {}, error() {} };
const state = openUserState({ dataDir: `${folder}/data`, log });
const configuration = createConfiguration({
  path: `${folder}/config/session-manager.json`,
  home: folder,
  agentDir: `${folder}/agent`,
  agentHome: folder,
  dataDir: `${folder}/data`,
  sessionPaths: [],
  agentSessionPaths: [],
  ...NO_OTHER_AGENTS,
  env: {},
  hubSending: { configure: () => undefined },
  library: {
    setPaths: async () => {},
    setPrices: () => {},
    setVaultSettings: () => {},
    filesIn: async () => [],
    marksChanged: () => {},
    movedSessions: async () => [],
  },
  state,
  bus: { publish: () => {} },
  log,
});
writeSync(1, "begins\n");
for (let number = Number(first); ; number++) {
  const tag = (id: string) => ({ id, name: id + number, color: "#000000", parent_id: null });
  await configuration.saveBundle({
    version: 1,
    server: { number },
    preferences: { number },
    tags: number % 3 === 0 ? [tag("a")] : [tag("a"), tag("b")],
    agent_settings: number % 2 === 0 ? null : { number, filling: "x".repeat(100_000) },
    model_config: { providers: {}, number },
  });
  writeSync(1, `${number}\n`);
}

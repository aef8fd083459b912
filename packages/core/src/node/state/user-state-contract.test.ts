import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { describeUserState } from "./contract/index.fixture.ts";
import type { UserState } from "./ports.ts";
import { openUserState } from "./user-state.ts";

const silent = { info: () => {}, warn: () => {}, error: () => {} };

let folder: string;
let others = 0;
let state: UserState;

const open = (name: string) => openUserState({ dataDir: join(folder, name), log: silent });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "state-"));
  state = open("state");
});

afterEach(async () => {
  await state.close();
  rmSync(folder, { recursive: true, force: true });
});

describeUserState({
  get state() {
    return state;
  },
  reopen: async () => {
    await state.close();
    state = open("state");
  },
  another: async () => open(`other ${++others}`),
});

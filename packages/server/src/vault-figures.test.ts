import { DEFAULT_VAULT_SETTINGS, type VaultStatus } from "@sm/core";
import { expect, it } from "vitest";
import { vaultFigures } from "./vault-figures.ts";

const STATUS: VaultStatus = {
  enabled: DEFAULT_VAULT_SETTINGS.enabled,
  exclude_formats: [],
  exclude_projects: [],
  sessions: 3,
  only_here: 1,
  pending: 0,
  bytes: 10,
  original_bytes: 100,
  oldest_at: null,
  problems: ["The disk is full."],
};

it("asks the vault once for many who ask, and again when its answer is old", async () => {
  let asked = 0;
  let time = 0;
  const figures = vaultFigures({ status: async () => ({ ...STATUS, sessions: ++asked }) }, () => time);
  expect(figures.problems()).toEqual([]);
  const [one, other] = await Promise.all([figures.status(), figures.status()]);
  expect([one?.sessions, other?.sessions]).toEqual([1, 1]);
  expect(figures.problems()).toEqual(STATUS.problems);
  time = 4_999;
  expect((await figures.status())?.sessions).toBe(1);
  time = 5_000;
  expect((await figures.status())?.sessions).toBe(2);
});

it("tells what it knows where the vault does not answer", async () => {
  let time = 0;
  const answers = [async () => STATUS, () => Promise.reject(new Error("closed"))];
  const figures = vaultFigures(
    { status: () => (answers.shift() ?? (() => Promise.reject(new Error("no"))))() },
    () => time,
  );
  expect(await figures.status()).toEqual(STATUS);
  time = 10_000;
  expect(await figures.status()).toEqual(STATUS);
});

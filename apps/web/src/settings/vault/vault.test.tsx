import type { CommandInput } from "@sm/router/client";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../../list/record.fixture.ts";
import { openPage } from "../../page.fixture.tsx";

const STATUS = {
  enabled: true,
  exclude_formats: [],
  exclude_projects: [],
  sessions: 12,
  only_here: 3,
  pending: 0,
  bytes: 1_048_576,
  original_bytes: 10_485_760,
  oldest_at: "2026-01-02T03:04:05.000Z",
  problems: ["The disk is full."],
};
const DELETED = {
  path: "/s/tides.jsonl",
  id: "tides",
  format: "pi" as const,
  title: "Tides",
  size_bytes: 2_048,
  deleted_at: "2026-02-01T00:00:00.000Z",
  expires_at: "2026-03-03T00:00:00.000Z" as string | null,
  source: "vault" as const,
};
const BUNDLE = {
  version: 1 as const,
  server: { http_port: 1 },
  preferences: {},
  tags: [],
  agent_settings: null,
  model_config: null,
};

it("the vault tells what it keeps, takes deleted sessions back, and is switched off", async () => {
  let deleted = [DELETED];
  const page = await openPage("/settings/vault", {
    answers: {
      get_vault_status: STATUS,
      list_deleted_sessions: () => deleted,
      get_config_bundle: BUNDLE,
      save_config_bundle: { version_id: "1" },
      undelete_session() {
        deleted = [];
        return {} as never;
      },
    },
  });
  const facts = await screen.findByRole("list", { name: "Vault" });
  expect(facts.textContent).toContain("1 MB, 10% of 10 MB");
  expect(facts.textContent).toContain("Only in the vault3");
  expect(facts.textContent).toContain("The disk is full.");
  await page.user.click(await screen.findByRole("button", { name: "Restore Tides" }));
  await waitFor(() => expect(page.asked("undelete_session")).toEqual([{ path: DELETED.path }]));
  await within(screen.getByRole("list", { name: "Recently deleted" })).findByText("No deleted sessions to restore.");
  await page.user.click(await screen.findByRole("switch", { name: "Keep sessions in the vault" }));
  await page.user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(page.asked("save_config_bundle")).toEqual<CommandInput<"save_config_bundle">[]>([
      { ...BUNDLE, server: { http_port: 1, vault: { enabled: false } } },
    ]),
  );
});

it("what limits would remove is told before they are saved", async () => {
  const page = await openPage("/settings/vault", {
    answers: {
      get_vault_status: STATUS,
      list_deleted_sessions: [],
      get_config_bundle: BUNDLE,
      preview_vault_limits: ({ max_bytes }) =>
        max_bytes === 5_000
          ? { sessions: 3, generations: 4, bytes: 2_048 }
          : { sessions: 0, generations: max_bytes === null ? 0 : 1, bytes: 10 },
    },
  });
  await page.user.type(await screen.findByRole("textbox", { name: "Maximum size" }), "5");
  await screen.findByText("Saving permanently removes 1 earlier state of a file (10 B).");
  await page.user.type(screen.getByRole("textbox", { name: "Maximum size" }), "000");
  await screen.findByText(/^Saving permanently removes 3 sessions .* \(2 KB\)\.$/);
  expect(page.asked("preview_vault_limits").at(-1)).toEqual({ max_bytes: 5_000, deleted_days: 30, replaced_days: 30 });
  expect(page.asked("save_config_bundle")).toEqual([]);
});

it("a verification tells its progress, and what is damaged", async () => {
  let finish: (data: never) => void = () => {};
  const page = await openPage("/settings/vault", {
    answers: {
      get_vault_status: { ...STATUS, problems: [] },
      list_deleted_sessions: [],
      get_config_bundle: BUNDLE,
      verify_vault: () => new Promise<never>((resolve) => (finish = resolve)),
    },
  });
  await page.user.click(await screen.findByRole("button", { name: "Verify" }));
  page.tell("vault-verification", { checked: 5, total: 10, done: false, damaged: null });
  await screen.findByText("Verifying: 50%");
  page.tell("vault-verification", { checked: 10, total: 10, done: true, damaged: 1 });
  finish({ checked: 10, damaged: [{ path: "/s/a.jsonl", is_repaired: false }] } as never);
  const damaged = await screen.findByRole("list", { name: "1 damaged part" });
  expect(damaged.textContent).toBe("/s/a.jsonldamaged");
});

it("a session whose file is gone is marked in the list, and its file restored from its page", async () => {
  const record = sessionRecord("tides", { source: "vault" });
  const page = await openPage(`/session?path=${encodeURIComponent(record.path)}`, {
    sessions: [record],
    answers: { restore_session: { ...record, source: "file" } },
  });
  await waitFor(() => expect(screen.getAllByText("from vault")).toHaveLength(2));
  await page.user.click(await screen.findByRole("button", { name: "Restore file" }));
  await screen.findByText("Session file restored.");
  expect(page.asked("restore_session")).toEqual([{ path: record.path }]);
});

it.each([
  [4, "stay in the vault", {}, "nothing is lost"],
  [5, "are lost without the vault", { enabled: false }, "2 of them are not in the vault"],
  [
    6,
    "are lost where their agent is excluded",
    { exclude_formats: ["claude-code" as const] },
    "2 of them are not in the vault",
  ],
  [7, "are lost where their project is excluded", { exclude_projects: ["/p/secret"] }, "1 of them is not in the vault"],
  [
    8,
    "are lost while the vault cannot be written",
    { problems: ["The disk is full."] },
    "2 of them are not in the vault",
  ],
])("sessions that their agent will delete are told of on March %s: they %s", async (day, _, status, text) => {
  const expires = { expires_at: `2026-03-0${day}T00:00:00.000Z`, format: "claude-code" as const };
  const sessions = [
    sessionRecord("Tides", { ...expires, cwd: "/p/secret/app" }),
    sessionRecord("Moons", { ...expires, cwd: "/p/secrets" }),
    sessionRecord("Stays"),
  ];
  const page = await openPage("/", {
    sessions,
    answers: { get_vault_status: { ...STATUS, problems: [], ...status } },
  });
  const notice = await screen.findByRole("region", { name: "Sessions that expire" });
  expect(notice.textContent).toContain("Claude Code will delete 2 sessions within a week.");
  expect(notice.textContent).toContain(text);
  expect(screen.getAllByText("expires")).toHaveLength(2);
  await page.user.click(within(notice).getByRole("button", { name: "Show" }));
  await waitFor(() => expect(screen.queryByRole("link", { name: "Stays" })).toBeNull());
  screen.getByRole("link", { name: "Tides" });
  await page.user.click(within(notice).getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByRole("region", { name: "Sessions that expire" })).toBeNull();
});

import { CommandError, type CommandInput } from "@sm/router/client";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";

const dialog = () => screen.findByRole("dialog");
const isClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
const button = (name: string | RegExp) => screen.findByRole("button", { name });
const hasFocus = (element: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element));

/** The service's word about one path or field. */
const refusal = (path: string, message: string) =>
  new CommandError("INVALID_PAYLOAD", "The payload is invalid.", [{ path, message }]);

it("the settings begin with the session directories", async () => {
  await openPage("/settings/");
  await screen.findByRole("heading", { name: "Settings: Session directories" });
});

it("an address of the settings that leads nowhere says so", async () => {
  await openPage("/settings/nothing");
  await screen.findByText("Page not found");
});

/** The settings on directories that a service keeps, which knows two that are there. */
async function openDirectories(own: readonly string[] = []) {
  let kept = [...own];
  const usual = "/agent/sessions";
  return openPage("/settings/sessions", {
    sessions: [
      ...["a", "b"].map((id) => sessionRecord(id, { path: `${usual}/${id}.jsonl` })),
      sessionRecord("c", { path: "/more/c.jsonl" }),
    ],
    answers: {
      get_session_paths: () => kept,
      get_all_session_dirs: () => [usual, ...kept.filter((path) => path === "/more")],
      save_session_paths({ paths }: CommandInput<"save_session_paths">) {
        if (paths.includes("/missing")) return refusal("paths.0", "Does not exist, or cannot be accessed.");
        kept = [...paths];
        return kept;
      },
    },
  });
}

it("a directory is added where it is there, and the field says what is wrong with another", async () => {
  const page = await openDirectories();
  const usual = await screen.findByRole("list", { name: "Agent default" });
  expect(within(usual).getByRole("listitem").textContent).toBe("/agent/sessions2 sessions");
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Add directory" });
  await page.user.type(field, "/missing{Enter}");
  await screen.findByText("Does not exist, or cannot be accessed.");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  await page.user.clear(field);
  expect(screen.queryByText("Does not exist, or cannot be accessed.")).toBeNull();
  await page.user.type(field, "/more{Enter}");
  await waitFor(() => expect(page.asked("save_session_paths").at(-1)).toEqual({ paths: ["/more"] }));
  page.tell("config-changed", { files: ["session-manager.json"] } as never);
  const own = await screen.findByRole("list", { name: "Added by you" });
  await waitFor(() => expect(within(own).getByRole("listitem").textContent).toBe("/more1 session"));
  expect(field.value).toBe("");
});

it("files of a directory that are no sessions are counted beside those that are", async () => {
  const home = (path: string, skipped_files: number) => ({ path, exists: true, skipped_files });
  const pi = { agent: "pi", name: "pi", enabled: true, homes: [], read_only: false, sessions: 2 };
  const page = await openDirectories(["/more"]);
  page.answer({ get_agent_homes: [{ ...pi, directories: [home("/agent/sessions", 2), home("/more", 1)] }] });
  page.tell("config-changed", { files: ["session-manager.json"] } as never);
  await screen.findByText("2 sessions · 2 files that are not sessions");
  await screen.findByText("1 session · 1 file that is not a session");
});

it("a directory that was removed comes back by Undo, and one that is gone can be removed", async () => {
  const page = await openDirectories(["/more", "/gone"]);
  await page.user.click(await button("Remove /more"));
  page.tell("config-changed", { files: ["session-manager.json"] } as never);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Remove /more" })).toBeNull());
  await page.user.click(await button("Undo"));
  await waitFor(() => expect(page.asked("save_session_paths").at(-1)).toEqual({ paths: ["/more", "/gone"] }));
  page.tell("config-changed", { files: ["session-manager.json"] } as never);
  await button("Remove /more");
  await page.user.click(await button("Remove /gone"));
  await waitFor(() => expect(page.asked("save_session_paths").at(-1)).toEqual({ paths: ["/more"] }));
});

it("a directory that comes back leaves alone what was added meanwhile", async () => {
  const page = await openDirectories(["/more", "/gone"]);
  const lastUndo = () => screen.queryAllByRole("button", { name: "Undo" }).at(-1);
  const remove = async (path: string) => {
    // Toasts of other tests may still be there.
    const before = lastUndo();
    await page.user.click(await button(`Remove ${path}`));
    return waitFor(() => {
      const undo = lastUndo();
      if (undo === undefined || undo === before) throw new Error("There is no Undo yet.");
      return undo;
    });
  };
  const undo = await remove("/more");
  page.answer({ get_session_paths: ["/gone", "/added"] });
  await page.user.click(undo);
  await waitFor(() => expect(page.asked("save_session_paths").at(-1)).toEqual({ paths: ["/more", "/gone", "/added"] }));
  const last = await remove("/gone");
  page.answer({ save_session_paths: new CommandError("READ_ONLY", "The disk is read-only.") });
  await page.user.click(last);
  await screen.findByText("The disk is read-only.", { exact: false });
});

it("what is typed into the server's fields stays when something else of the configuration changes", async () => {
  const bundle = {
    version: 1 as const,
    server: { http_port: 4000 },
    preferences: {},
    tags: [],
    agent_settings: null,
    model_config: null,
  };
  const page = await openPage("/settings/server", { answers: { get_config_bundle: bundle, get_config_overrides: [] } });
  const port = () => screen.findByRole<HTMLInputElement>("textbox", { name: "Port" });
  await page.user.type(await port(), "1");
  page.answer({
    get_config_bundle: { ...bundle, tags: [{ id: "t", name: "work", color: "#3a7fd5", parent_id: null }] },
  });
  page.tell("config-changed", { files: [] } as never);
  await waitFor(() => expect(page.asked("get_config_bundle")).toHaveLength(2));
  await screen.findByText("You have unsaved changes.");
  expect((await port()).value).toBe("40001");
  page.answer({ get_config_bundle: { ...bundle, server: { http_port: 5000 } } });
  page.tell("config-changed", { files: [] } as never);
  await waitFor(async () => expect((await port()).value).toBe("5000"));
});

it("a field of the server that a flag overrides says what is in force, and by what", async () => {
  await openPage("/settings/server", {
    answers: {
      get_config_bundle: {
        version: 1,
        server: { http_port: 4000 },
        preferences: {},
        tags: [],
        agent_settings: null,
        model_config: null,
      },
      get_config_overrides: [{ field: "http_port", value: 18101, source: "--port" }],
    },
  });
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Port" });
  expect(field.value).toBe("4000");
  await screen.findByText("Now 18101: --port overrides the value saved here.");
  expect(document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent).toContain("--port");
  expect(screen.getAllByText(/overrides the value saved here/)).toHaveLength(1);
});

it("the server's configuration is saved whole, and a field says what is wrong with it", async () => {
  const server = { my_field: { kept: true } };
  const bundle = { version: 1 as const, server, preferences: {}, tags: [], agent_settings: null, model_config: null };
  const page = await openPage("/settings/server", {
    answers: {
      get_config_bundle: bundle,
      save_config_bundle: (payload: CommandInput<"save_config_bundle">) =>
        payload.server.http_port === 99_999
          ? refusal("server.http_port", "It must be an integer from 0 to 65535.")
          : { version_id: "1" },
    },
  });
  const port = await screen.findByRole("textbox", { name: "Port" });
  const terminals = screen.getByRole("switch", { name: "Allow terminals" });
  await page.user.clear(port);
  await page.user.type(port, "99999");
  await page.user.type(
    screen.getByRole("textbox", { name: "Additional host names" }),
    "sessions.example.org\nother.example.org",
  );
  await page.user.click(terminals);
  await screen.findByText("You have unsaved changes.");
  await page.user.click(await button("Save"));
  await screen.findByText("Not saved: 1 field is invalid.");
  await screen.findByText("It must be an integer from 0 to 65535.");
  expect(port.getAttribute("aria-invalid")).toBe("true");
  await page.user.clear(port);
  await page.user.type(port, "0");
  const commands = screen.getByRole("textbox", { name: "Commands per connection" });
  await page.user.clear(commands);
  await page.user.type(commands, "99");
  await page.user.click(await button("Save"));
  await screen.findByText("Saved. Restart the service to apply the changes.");
  // Nothing of what nobody has touched is written.
  expect(page.asked("save_config_bundle").at(-1)).toEqual({
    ...bundle,
    server: {
      ...server,
      http_port: 0,
      allowed_hosts: ["sessions.example.org", "other.example.org"],
      terminals_enabled: false,
      limits: { connection_commands: 99 },
    },
  });
});

it("changes of the server's configuration are discarded", async () => {
  const server = { terminals_enabled: false };
  const bundle = { version: 1 as const, server, preferences: {}, tags: [], agent_settings: null, model_config: null };
  const page = await openPage("/settings/server", { answers: { get_config_bundle: bundle } });
  const terminals = await screen.findByRole("switch", { name: "Allow terminals" });
  await page.user.click(terminals);
  expect(terminals.getAttribute("aria-checked")).toBe("true");
  await page.user.click(await button("Discard changes"));
  expect(terminals.getAttribute("aria-checked")).toBe("false");
  expect(page.asked("save_config_bundle")).toEqual([]);
});

const KEY = {
  id: "key-1",
  name: "phone",
  scope: "read" as const,
  hint: "sm_…abcd",
  created_at: "2026-03-01T10:00:00.000Z",
  last_used_at: null,
  expires_at: null,
};

it("without API tokens the settings say what they are for, and the dialog for one gives the focus back", async () => {
  const page = await openPage("/settings/api-keys", { answers: { list_tokens: [] } });
  await screen.findByText("No API tokens yet");
  await screen.findByText("Create one to use the service from a phone or from a program on another machine.");
  const opener = await button("New API token");
  await page.user.click(opener);
  const opened = await dialog();
  await hasFocus(within(opened).getByRole("textbox", { name: "Name" }));
  // The focus goes around in it.
  for (let stop = 0; stop < 12; stop++) {
    await page.user.tab();
    expect(opened.contains(document.activeElement)).toBe(true);
  }
  await page.user.keyboard("{Escape}");
  await isClosed();
  await hasFocus(opener);
});

it("a new API token stays until it is kept, and a field says why there is none", async () => {
  const page = await openPage("/settings/api-keys", {
    answers: { list_tokens: [], create_token: new CommandError("CONFLICT", "There is a key of this name.") },
  });
  await page.user.click(await button("New API token"));
  const opened = await dialog();
  const make = within(opened).getByRole<HTMLButtonElement>("button", { name: "Create token" });
  expect(make.disabled).toBe(true);
  await page.user.keyboard("phone{Enter}");
  await within(opened).findByText("There is a key of this name.");
  expect(within(opened).getByRole("textbox", { name: "Name" }).getAttribute("aria-invalid")).toBe("true");
  page.answer({ create_token: { ...KEY, token: "sm_secret" }, list_tokens: [KEY] });
  await page.user.keyboard("{Enter}");
  await within(opened).findByText("sm_secret");
  await page.user.keyboard("{Escape}");
  await page.user.click(await button("Done"));
  await isClosed();
  expect(page.asked("create_token").at(-1)).toMatchObject({ name: "phone", scope: "read" });
  const keys = await screen.findByRole("list", { name: "API tokens" });
  within(keys).getByText(/never used/);
  expect(screen.queryByText("sm_secret")).toBeNull();
});

it("a key is revoked only when that is confirmed, and the dialog says where it fails", async () => {
  const page = await openPage("/settings/api-keys", {
    answers: { list_tokens: [KEY], revoke_token: new CommandError("FORBIDDEN", "This token may only read.") },
  });
  await page.user.click(await button("Revoke phone"));
  await page.user.click(within(await dialog()).getByRole("button", { name: "Cancel" }));
  await isClosed();
  expect(page.asked("revoke_token")).toEqual([]);
  await page.user.click(await button("Revoke phone"));
  const opened = await dialog();
  await page.user.click(within(opened).getByRole("button", { name: "Revoke" }));
  expect((await within(opened).findByRole("alert")).textContent).toContain("This token may only read.");
  page.answer({ revoke_token: { id: KEY.id, revoked: true }, list_tokens: [] });
  await page.user.click(within(opened).getByRole("button", { name: "Revoke" }));
  await screen.findByText("No API tokens yet");
  await isClosed();
});

it("what cannot be loaded says so, and is asked for again", async () => {
  const page = await openPage("/settings/versions", {
    answers: { list_config_versions: new CommandError("INTERNAL", "The disk is full.") },
  });
  await screen.findByText("Could not list the versions");
  await screen.findByText("The disk is full.");
  page.answer({ list_config_versions: [] });
  await page.user.click(await button("Try again"));
  await screen.findByText("No versions yet");
});

const RESOURCE = { description: null, source: "global" as const, project: null, enabled: true, problems: [] };

it("skills, prompts and themes are listed with their problems, and their text is shown as text", async () => {
  const page = await openPage("/settings/skills", {
    sessions: ["tides", "clock"].map((name) => sessionRecord(name, { cwd: `/home/me/${name}/app` })),
    answers: {
      list_skills: [
        { ...RESOURCE, name: "of-a-project", path: "/s/project", source: "project", project: "/home/me/tides/app" },
        { ...RESOURCE, name: "release-notes", path: "/s/release-notes" },
        { ...RESOURCE, name: "Wrong_Name", path: "/s/wrong", problems: ["The name may contain a-z only."] },
      ],
      list_prompts: [{ ...RESOURCE, name: "review", path: "/p/review", argument_hint: "[focus]" }],
      list_themes: [
        { ...RESOURCE, name: "half", path: "/t/half", colors: {}, enabled: false, problems: ["Colors are missing."] },
      ],
      read_resource: ({ path }: CommandInput<"read_resource">) => ({
        path,
        content: "# Steps <script>alert(1)</script>",
      }),
    },
  });
  const line = async (text: string) => {
    const shown = await screen.findByText(text);
    return shown.closest("li") ?? shown;
  };
  within(await line("of-a-project")).getByText("tides/app");
  within(await line("Wrong_Name")).getByText("The name may contain a-z only.");
  await page.user.click(within(await line("release-notes")).getByRole("button"));
  await within(await dialog()).findByText("# Steps <script>alert(1)</script>");
  expect(page.asked("read_resource")).toEqual([{ path: "/s/release-notes" }]);
  await page.user.keyboard("{Escape}");
  await isClosed();
  await page.user.click(screen.getByRole("link", { name: "Prompts" }));
  expect((await line("/review")).textContent).toContain("[focus]");
  await page.user.click(screen.getByRole("link", { name: "Themes" }));
  within(await line("half")).getByText("Colors are missing.");
  within(await line("half")).getByText("Not loaded");
});

it("the models are exported, also over a file where that is confirmed, and imported", async () => {
  const page = await openPage("/settings/models", {
    answers: {
      load_model_config: { path: "/agent/models.json", exists: true, config: { providers: {} } },
      list_model_config_backups: [],
      export_model_config_to_path: ({ path, overwrite }: CommandInput<"export_model_config_to_path">) =>
        overwrite === true ? { path } : new CommandError("CONFLICT", "The file is there."),
      import_model_config_from_path: new CommandError("NOT_FOUND", "The file does not exist."),
    },
  });
  const field = await screen.findByRole("textbox", { name: "A .json file on the machine that runs the service" });
  expect((await button("Import")).hasAttribute("disabled")).toBe(true);
  await page.user.type(field, "/copy.json");
  await page.user.click(await button("Export"));
  await within(await dialog()).findByText("Replace the file?");
  await page.user.click(await button("Cancel"));
  await isClosed();
  await page.user.click(await button("Import"));
  await screen.findByText(/does not exist/);
  page.answer({ import_model_config_from_path: { backup_name: null } });
  await page.user.click(await button("Import"));
  await waitFor(() => expect(screen.queryByText(/does not exist/)).toBeNull());
  expect(page.asked("import_model_config_from_path").at(-1)).toEqual({ path: "/copy.json" });
  await page.user.click(await button("Export"));
  await page.user.click(await button("Replace"));
  await isClosed();
  await screen.findByText("Exported to /copy.json");
  expect(page.asked("export_model_config_to_path").at(-1)).toEqual({ path: "/copy.json", overwrite: true });
});

/** The settings on agents that a service keeps. */
async function openAgents() {
  const pi = { agent: "pi", name: "pi", enabled: true, homes: [], read_only: false, sessions: 3 };
  let claude = { agent: "claude-code", name: "Claude Code", enabled: true, homes: [] as string[], read_only: true };
  const homes = () => [
    { ...pi, directories: [{ path: "/agent/sessions", exists: true, skipped_files: 0 }] },
    {
      ...claude,
      sessions: claude.enabled ? 5 : 0,
      directories: (claude.homes.length > 0 ? claude.homes : ["/home/me/.claude"]).map((home) => ({
        path: `${home}/projects`,
        exists: true,
        skipped_files: 3,
      })),
    },
  ];
  return openPage("/settings/agents", {
    answers: {
      get_agent_homes: homes,
      save_agent_homes({ agents }: CommandInput<"save_agent_homes">) {
        const chosen = agents["claude-code"];
        if (chosen?.homes.includes("/missing")) return refusal("agents.claude-code.homes.0", "Does not exist.");
        claude = { ...claude, ...chosen };
        return homes();
      },
    },
  });
}

it("each agent is there with its directories, and is switched off and on", async () => {
  const page = await openAgents();
  const claude = within(await screen.findByRole("region", { name: "Claude Code" }));
  claude.getByText("5 sessions · Read-only: its session files are never changed");
  claude.getByText("/home/me/.claude/projects");
  const unknown = within(screen.getByRole("region", { name: "Files in unknown formats" }));
  unknown.getByText("/home/me/.claude/projects");
  unknown.getByText("3 files");
  expect(unknown.getByRole("link").getAttribute("href")).toMatch(/docs\/formats\.md#add-a-format$/);
  expect(within(screen.getByRole("region", { name: "pi" })).queryByRole("switch")).toBeNull();
  const isOn = () => claude.getByRole("switch", { name: "Claude Code" });
  await page.user.click(isOn());
  await waitFor(() => expect(isOn().getAttribute("aria-checked")).toBe("false"));
  claude.getByText(/Off: its sessions are not shown/);
  await page.user.click(isOn());
  await claude.findByText(/5 sessions/);
  expect(page.asked("save_agent_homes")).toEqual([
    { agents: { "claude-code": { enabled: false, homes: [] } } },
    { agents: { "claude-code": { enabled: true, homes: [] } } },
  ]);
});

it("an agent gets another home, or the field says what is wrong with it", async () => {
  const page = await openAgents();
  const claude = within(await screen.findByRole("region", { name: "Claude Code" }));
  const field = claude.getByRole<HTMLInputElement>("textbox", { name: "Add a home directory of Claude Code" });
  await page.user.type(field, "/missing{Enter}");
  await claude.findByText("Does not exist.");
  await page.user.clear(field);
  await page.user.type(field, "/other{Enter}");
  await claude.findByText("/other/projects");
  expect(field.value).toBe("");
  await page.user.click(claude.getByRole("button", { name: "Remove /other" }));
  await claude.findByText("/home/me/.claude/projects");
});

import { CommandError, type CommandOutput } from "@sm/router/client";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage, type PageOptions } from "../page.fixture.tsx";

const ADA = { id: "u1", name: "ada", role: "member", is_me: true } as const;
const GRACE = { id: "u2", name: "grace", role: "member", is_me: false } as const;
const JOAN = { id: "u3", name: "joan", role: "reader", is_me: false } as const;
const USERS = [ADA, GRACE, JOAN];

const OF_ADA = sessionRecord("Tides", { cwd: "/code/tides", machine: "laptop" });
const OF_GRACE = sessionRecord("Clocks", {
  ...{ cwd: "/code/clocks", machine: "tower", owner: "grace" },
  capabilities: { rename: false, fork: false, delete: false, start: false, resume_command: null },
});

type Shared = CommandOutput<"list_shared_projects">[number];

const shared = (fields: Partial<Shared>): Shared => ({
  ...{ project: "/code/tides", owner: null, everybody: false, users: [], sessions: 1 },
  ...{ shared_at: "2026-03-01T10:00:00.000Z", ...fields },
});

function open(address: string, { answers, ...options }: PageOptions = {}) {
  return openPage(address, {
    kind: "hub",
    sessions: [OF_ADA, OF_GRACE],
    answers: { list_hub_users: USERS, ...answers },
    ...options,
  });
}

const asReader = { list_hub_users: [{ ...ADA, role: "reader" as const }, GRACE] };
const navigation = () => within(screen.getByRole("navigation", { name: "Navigation" }));
const dialog = () => screen.findByRole("dialog", { name: "Share project" });
const isClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
const row = async (title: string) => {
  const link = await screen.findByRole("link", { name: title });
  return link.closest<HTMLElement>("[role=row]") ?? link;
};
const menuOf = async (title: string) => {
  fireEvent.contextMenu(await row(title), { clientX: 10, clientY: 10 });
  return within(await screen.findByRole("menu"));
};

it("a page that a hub serves shows nothing of what runs on machines", async () => {
  const page = await open("/");
  await row("Tides");
  expect(navigation().queryByRole("link", { name: "Live" })).toBeNull();
  expect(navigation().queryByRole("link", { name: "Terminals" })).toBeNull();
  await page.user.keyboard("gt");
  expect(location.pathname).toBe("/");
  const menu = await menuOf("Tides");
  expect(menu.queryByRole("menuitem", { name: "Share…" })).toBeNull();
  menu.getByRole("menuitem", { name: "Share project…" });
});

it("an old address of an agent leads to the list", async () => {
  const page = await open("/live");
  await waitFor(() => expect(page.address()).toBe("/"));
});

it("hello says what serves the page, and the navigation follows", async () => {
  const page = await open("/", { kind: "home" });
  navigation().getByRole("link", { name: "Terminals" });
  page.tell("hello", { api_version: 1, server_version: "1.2.3", kind: "hub", seq: 0 });
  await waitFor(() => expect(navigation().queryByRole("link", { name: "Terminals" })).toBeNull());
});

it("the settings of a hub are about machines and people", async () => {
  await open("/settings/");
  await screen.findByRole("heading", { name: /Machines/, level: 1 });
  const names = within(screen.getByRole("navigation", { name: "Settings" })).getAllByRole("link");
  expect(names.map(({ textContent }) => textContent)).toEqual([
    ...["Machines", "Sharing", "Read log", "API tokens", "Appearance", "About"],
  ]);
  const machines = await screen.findByRole("list", { name: "Machines" });
  expect(machines.textContent).toContain("laptop");
  expect(machines.textContent).not.toContain("tower");
});

it("a hub without sessions says how a machine begins to send", async () => {
  const page = await open("/", { sessions: [] });
  await screen.findByText(`session-cli hub join ${location.origin} --token-file ~/.config/session-manager/hub-token`);
  await page.user.click(screen.getByRole("button", { name: "New API token" }));
  const scope = within(await screen.findByRole("dialog")).getByRole("radio", { name: "Full" });
  expect(scope.getAttribute("aria-checked")).toBe("true");
});

it("rows say whose a session is and which machine sent it, and are filtered by that", async () => {
  const page = await open("/", { answers: { list_shared_projects: [shared({ owner: "grace" })] } });
  expect((await row("Clocks")).textContent).toMatch(/grace.*clocks.*tower/);
  expect((await row("Tides")).textContent).toContain("laptop");
  await page.user.click(screen.getByRole("button", { name: "Filters" }));
  await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "Mine" }));
  await waitFor(() => expect(screen.queryByRole("link", { name: "Clocks" })).toBeNull());
  expect(page.address()).toBe("/?mine=1");
  await page.user.keyboard("{Escape}");
  await page.user.click(await screen.findByRole("button", { name: "Remove filter Mine" }));
  await row("Clocks");
});

it("what others share is read, but not renamed or archived, and is a favorite of one's own", async () => {
  await open("/");
  const menu = await menuOf("Clocks");
  menu.getByRole("menuitem", { name: /Add to favorites/ });
  for (const name of [/Rename/, /^Archive/, /Delete/, /Share/]) {
    expect(menu.queryByRole("menuitem", { name })).toBeNull();
  }
});

it("a reader is offered nothing that would be refused", async () => {
  const page = await open("/", { answers: asReader });
  await screen.findByRole("button", { name: "Account of ada" });
  const menu = await menuOf("Tides");
  const items = menu.getAllByRole("menuitem").map(({ textContent }) => textContent);
  expect(items.filter((text) => /Rename|favorites|Tags|Archive|Delete|Share|Note/.test(text ?? ""))).toEqual([]);
  await page.user.keyboard("{Escape}");
  await page.user.keyboard("se");
  expect(page.asked("toggle_favorite")).toEqual([]);
});

it("a project is shared from the navigation with those who are chosen", async () => {
  const share = shared({ users: [GRACE] });
  const page = await open("/", { answers: { share_project: share } });
  await page.user.click(await navigation().findByRole("button", { name: "Actions for tides" }));
  await page.user.click(await screen.findByRole("menuitem", { name: "Share project…" }));
  const asked = within(await dialog());
  await asked.findByText("/code/tides");
  await page.user.click(await asked.findByRole("checkbox", { name: "grace" }));
  expect(asked.queryByRole("checkbox", { name: "ada" })).toBeNull();
  page.answer({ list_shared_projects: [share] });
  await page.user.click(asked.getByRole("button", { name: "Save" }));
  await screen.findByText("Shared with 1 person.");
  expect(page.asked("share_project")).toEqual([{ project: "/code/tides", users: ["u2"] }]);
  expect(page.asked("unshare_project")).toEqual([]);
});

it("the project of another user is pinned, and cannot be shared on", async () => {
  const page = await open("/");
  await page.user.click(await navigation().findByRole("button", { name: "Actions for clocks" }));
  const menu = within(await screen.findByRole("menu"));
  expect(menu.getAllByRole("menuitem").map(({ textContent }) => textContent)).toEqual(["Pin"]);
});

const EVERYBODY = shared({ everybody: true, users: [GRACE] });

it.each<[string, Shared, string[], unknown[], unknown[]]>([
  [
    "one person instead of another",
    shared({ users: [GRACE] }),
    ["grace", "joan"],
    [{ project: "/code/tides", users: ["u2"] }],
    [{ project: "/code/tides", users: ["u3"] }],
  ],
  [
    "everybody",
    shared({ users: [GRACE] }),
    ["Everybody on this hub"],
    [],
    [{ project: "/code/tides", everybody: true }],
  ],
  [
    "those alone who had it besides everybody",
    EVERYBODY,
    ["Everybody on this hub"],
    [{ project: "/code/tides", everybody: true }],
    [],
  ],
  ["nobody", shared({ users: [GRACE] }), ["grace"], [{ project: "/code/tides" }], []],
])("a project is then shared with %s", async (_case, before, clicked, unshared, given) => {
  const page = await open("/?project=%2Fcode%2Ftides", {
    answers: {
      list_shared_projects: [before],
      share_project: before,
      unshare_project: { project: "/code/tides", users: [], everybody: false },
    },
  });
  await page.user.click(await screen.findByRole("button", { name: "Share project" }));
  const asked = within(await dialog());
  for (const name of clicked) await page.user.click(await asked.findByLabelText(name));
  await page.user.click(asked.getByRole("button", { name: /^(Save|Stop sharing)$/ }));
  await isClosed();
  expect(page.asked("unshare_project")).toEqual(unshared);
  expect(page.asked("share_project")).toEqual(given);
});

it("a refusal to share is said in the dialog, which stays", async () => {
  const page = await open("/?project=%2Fcode%2Ftides", {
    answers: { share_project: new CommandError("NOT_FOUND", "There are no sessions of yours in it.") },
  });
  await page.user.click(await screen.findByRole("button", { name: "Share project" }));
  const asked = within(await dialog());
  await page.user.click(await asked.findByRole("checkbox", { name: "grace" }));
  await page.user.click(asked.getByRole("button", { name: "Save" }));
  expect((await asked.findByRole("alert")).textContent).toContain("There are no sessions of yours in it.");
  await page.user.keyboard("{Escape}");
  await isClosed();
});

it("the settings list what is shared by whom, and stop it", async () => {
  const page = await open("/settings/sharing", {
    answers: {
      list_shared_projects: [shared({ users: [GRACE, JOAN] }), shared({ owner: "grace", project: "/code/clocks" })],
      unshare_project: { project: "/code/tides", users: [], everybody: false },
    },
  });
  const own = within(await screen.findByRole("list", { name: "Shared by you" }));
  own.getByText(/Shared with grace, joan/);
  const others = within(screen.getByRole("list", { name: "Shared with you" }));
  others.getByText(/Shared by grace/);
  await page.user.click(own.getByRole("button", { name: "Stop sharing /code/tides" }));
  const asked = within(await screen.findByRole("dialog"));
  await page.user.click(asked.getByRole("button", { name: "Stop sharing" }));
  await screen.findByText("No longer shared.");
  await isClosed();
  expect(page.asked("unshare_project")).toEqual([{ project: "/code/tides" }]);
});

it("who has read what is listed, page by page", async () => {
  const read = (title: string | null, action: string, owner = "ada") => ({
    ...{ at: "2026-03-01T10:00:00.000Z", reader: "grace", owner, session_path: "/sessions/Tides.jsonl" },
    ...{ session_title: title, action },
  });
  const page = await open("/settings/reads", {
    answers: {
      list_reads: ({ cursor }) =>
        cursor == null
          ? { reads: [read("Tides", "read_transcript")], next_cursor: "more" }
          : { reads: [read(null, "export_session", "joan")], next_cursor: null },
    },
  });
  const list = await screen.findByRole("list", { name: "Read log" });
  expect(list.textContent).toMatch(/grace · Tidesopened/);
  await page.user.click(screen.getByRole("button", { name: "Show more" }));
  await waitFor(() => expect(list.textContent).toMatch(/a session of joan · exported/));
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

/** Answers to what is fetched beside the commands. */
function answerFetch(answers: Record<string, unknown>) {
  const fetched = vi.fn(async (url: string, _init?: RequestInit) => Response.json(answers[url] ?? {}));
  vi.stubGlobal("fetch", fetched);
  onTestFinished(() => void vi.unstubAllGlobals());
  return fetched;
}

const UNAUTHORIZED = { state: "unauthorized", error: new CommandError("UNAUTHORIZED", "A token is needed.") } as const;

it("whoever is asked for a token signs in with the provider where there is one", async () => {
  answerFetch({ "/health": { kind: "hub", sign_in: { url: "/auth/sign-in", provider: "Keycloak" } } });
  const page = await open("/?q=tides", { connection: UNAUTHORIZED });
  const asked = within(await screen.findByRole("dialog", { name: "Sign in" }));
  const link = asked.getByRole("link", { name: "Sign in with Keycloak" });
  expect(link.getAttribute("href")).toBe("/auth/sign-in?return_to=%2F%3Fq%3Dtides");
  asked.getByLabelText("Or use a token");
  page.connect({ state: "open", over: "websocket" });
  await isClosed();
});

it("a hub without a provider says who gives tokens", async () => {
  answerFetch({ "/health": { kind: "hub" } });
  const page = await open("/", { connection: UNAUTHORIZED });
  await screen.findByText(/Whoever runs it creates one for you/);
  expect(screen.queryByRole("link", { name: /Sign in/ })).toBeNull();
  page.connect({ state: "open", over: "websocket" });
  await isClosed();
});

it("the account menu says who one is, in Chinese too", async () => {
  const page = await open("/", { locale: "zh" });
  await page.user.click(await screen.findByRole("button", { name: "ada 的账户" }));
  const menu = within(await screen.findByRole("menu"));
  menu.getByText("ada · 成员");
  menu.getByRole("menuitem", { name: "退出登录" });
});

import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Application, applicationPath, openApplication, PATIENCE_MS } from "./application.ts";
import { type Desktop, startDesktop } from "./desktop.ts";
import { type StandIn, startStandIn } from "./stand-in.ts";
import { makeUser, type User } from "./user.ts";

const PATIENT = { timeout: PATIENCE_MS };
const TITLE = "main h1";
const TOASTS = "section[aria-live]";

/** An agent that does what a prompt says, see there. */
const FAKE_AGENT = fileURLToPath(new URL("../../../packages/agent/src/live/fake-agent.fixture.mjs", import.meta.url));

const run = promisify(execFile);
const linkTo = (search: Record<string, string>) => `session-manager://open?${new URLSearchParams(search)}`;

/** The tests are one visit: each goes on where the one before has left the window. */
describe("what leads into the window", () => {
  let user: User;
  let desktop: Desktop;
  let application: Application;
  let standIn: StandIn;

  beforeAll(async () => {
    user = await makeUser();
    await mkdir(join(user.home, ".config"));
    await writeFile(join(user.home, ".config", "session-manager.json"), JSON.stringify({ agent_command: FAKE_AGENT }));
    user.environment.PI_CODING_AGENT_DIR = join(user.home, ".pi", "agent");
    desktop = await startDesktop();
    application = await openApplication(user, desktop, [linkTo({ path: user.otherSession, entry: "m2" })]);
  });

  afterAll(async () => {
    await application?.[Symbol.asyncDispose]();
    await standIn?.[Symbol.asyncDispose]();
    await user?.[Symbol.asyncDispose]();
    await desktop?.[Symbol.asyncDispose]();
  });

  const address = () => application.driver.getCurrentUrl();
  const startAgain = (...args: string[]) => run(applicationPath(), args, { env: application.environment });

  async function ask(command: string, payload: object): Promise<{ session_id: string }> {
    const answer = await fetch(new URL("/api", await address()), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ command, payload }),
    });
    const { data, error } = (await answer.json()) as { data: { session_id: string }; error: object | null };
    expect(error).toBeNull();
    return data;
  }

  it("opens the link that it is started with", async () => {
    await application.find(TITLE, "How are lines parsed?");
    expect(await address()).toContain("entry=m2");
  });

  it("is one: a second start hands its link over and ends", async () => {
    await startAgain(linkTo({ path: user.session }));
    await application.find(TITLE, "Why does Größe fail?");
    await startAgain(linkTo({ search: "umlauts" }));
    await expect.poll(address, PATIENT).toMatch(/\/search\?q=umlauts$/);
  });

  it("takes a file by its URL, as file managers name it", async () => {
    await startAgain(`file://${user.session}`);
    await application.find(TITLE, "Why does Größe fail?");
  });

  it.each([
    "session-manager://run?command=id",
    linkTo({ live: "new", new: "1", cwd: "/" }),
    linkTo({ path: "/etc/passwd" }),
  ])("does nothing for a link that leads nowhere, and says so: %s", async (link) => {
    const before = await address();
    await startAgain(link);
    await application.find(TOASTS, `leads to no place in Session Manager. ${link}`);
    expect(await address()).toBe(before);
  });

  it("does nothing for options beside a link", async () => {
    const refused = startAgain("session-manager://open", "--cli", "--help");
    await expect(refused).rejects.toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching("no options") });
  });

  it("is what the system opens such links with", async () => {
    const folder = join(dirname(dirname(applicationPath())), "share", "applications");
    const [name = ""] = await readdir(folder);
    const entry = await readFile(join(folder, name), "utf8");
    expect(entry).toMatch(/^MimeType=(.*;)?x-scheme-handler\/session-manager;/m);
    expect(entry).toMatch(/^Exec=session-manager %u$/m);
  });

  it("comes into a tray, once there is one", async () => {
    standIn = await startStandIn(desktop);
    await expect.poll(standIn.tray, PATIENT).toMatchObject({
      status: "Active",
      title: "Session Manager",
      pictures: [[128, 128]],
      menu: [
        { text: "No Agent Is Running", canBeChosen: false },
        { text: "-", canBeChosen: false },
        { text: "Open Session Manager", canBeChosen: true },
        { text: "Quit", canBeChosen: true },
      ],
    });
  });

  it("has what runs and what waits in the tray, which leads there", async () => {
    const started = await ask("start_coding_session", { cwd: user.home, name: "Fix_the_build" });
    const { session_id } = started;
    // Underscores would be marks of keys.
    const rows = async () => (await standIn.tray())?.menu.map(({ text }) => text).slice(0, 2);
    await expect.poll(rows, PATIENT).toEqual(["Running", "Fix__the__build · idle"]);
    await ask("send_coding_agent_rpc", { session_id, prompt: "ask confirm" });
    await expect.poll(rows, PATIENT).toEqual(["Waiting for You", "Fix__the__build · asks for confirmation"]);
    expect((await standIn.tray())?.status).toBe("NeedsAttention");
    expect(await standIn.choose("Fix__the__build")).toBe(true);
    await expect.poll(address, PATIENT).toMatch(new RegExp(`/live\\?session=${session_id}$`));
    await ask("stop_coding_session", { session_id });
    await expect.poll(rows, PATIENT).toEqual(["No Agent Is Running", "-"]);
  });

  it("goes where a notification is about, when it is clicked", async () => {
    const content = { title: "A session", body: "The agent is done.", address: "/statistics" };
    await application.driver.executeScript("__TAURI_INTERNALS__.invoke('notify', arguments[0])", content);
    await expect.poll(standIn.notifications, PATIENT).toContainEqual({ title: content.title, body: content.body });
    const clicked = async () => {
      // A click on one that the application does not listen to yet is lost.
      await standIn.click();
      return address();
    };
    await expect.poll(clicked, PATIENT).toMatch(/\/statistics$/);
  });

  it("ends from the tray, and leaves nothing behind", async () => {
    expect(await standIn.choose("Quit")).toBe(true);
    await expect.poll(application.processes, PATIENT).toEqual([]);
  });
});

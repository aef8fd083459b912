import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";
import { exportOptions, readOptions } from "./export-options.ts";
import { requestExport } from "./export-request.ts";

const SOURCE = sessionRecord("Tide clock", { format: "claude-code" });
const CONVERTED = sessionRecord("Tide clock, converted");
const BRIEF = {
  session: null,
  brief: "# Hand-over: Tide clock",
  brief_path: "/data/briefs/codex-1.md",
  command: 'cd /p && codex "$(cat /data/briefs/codex-1.md)"',
};

async function openDialog(locale: "en" | "zh" = "en") {
  const page = await openPage("/", {
    sessions: [SOURCE, CONVERTED],
    locale,
    answers: {
      convert_session: ({ to }) =>
        to === "pi"
          ? { to, session: CONVERTED, brief: null, brief_path: null, command: "cd /p && pi --session /c.jsonl" }
          : { to, ...BRIEF },
    },
  });
  fireEvent.contextMenu(await screen.findByRole("link", { name: "Tide clock" }), { clientX: 10, clientY: 10 });
  await page.user.click(await screen.findByRole("menuitem", { name: locale === "en" ? "Hand over…" : "移交…" }));
  await screen.findByRole("dialog", { name: locale === "en" ? "Hand over" : "移交" });
  // Until it is gone, it takes the clicks.
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  return page;
}

// What was asked for outlives a page.
afterEach(() => act(() => requestExport(null)));

const clipboard = () => navigator.clipboard.readText();

it("a session of another agent becomes one of pi, which is opened", async () => {
  const page = await openDialog();
  await page.user.click(screen.getByRole("button", { name: "Hand over" }));
  await screen.findByText("New session: Tide clock, converted");
  expect(page.asked("convert_session")).toEqual([{ path: SOURCE.path, to: "pi" }]);
  await page.user.click(screen.getByRole("button", { name: "Copy command" }));
  await waitFor(async () => expect(await clipboard()).toBe("cd /p && pi --session /c.jsonl"));
  await page.user.click(screen.getByRole("button", { name: "Open" }));
  await waitFor(() => expect(page.address()).toBe(`/session?${new URLSearchParams({ path: CONVERTED.path })}`));
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("other agents get a brief and the command that starts them with it", async () => {
  const page = await openDialog();
  await page.user.click(screen.getByRole("radio", { name: "Codex" }));
  await page.user.click(screen.getByRole("button", { name: "Hand over" }));
  expect(await screen.findByLabelText("Brief")).toHaveProperty("value", BRIEF.brief);
  expect(page.asked("convert_session")).toEqual([{ path: SOURCE.path, to: "codex" }]);
  await page.user.click(screen.getByRole("button", { name: "Copy brief" }));
  await waitFor(async () => expect(await clipboard()).toBe(BRIEF.brief));
  // What was made for one agent is not shown as made for another.
  await page.user.click(screen.getByRole("radio", { name: "Claude Code" }));
  expect(screen.queryByLabelText("Brief")).toBeNull();
});

it("words of the user's own are replaced in a brief, and asked for only there", async () => {
  const page = await openDialog();
  expect(screen.queryByLabelText("Also replace")).toBeNull();
  await page.user.click(screen.getByRole("radio", { name: "Codex" }));
  await page.user.type(await screen.findByLabelText("Also replace"), "Acme Corp");
  await page.user.click(screen.getByRole("button", { name: "Hand over" }));
  await screen.findByLabelText("Brief");
  expect(page.asked("convert_session")).toEqual([{ path: SOURCE.path, to: "codex", redact_words: ["Acme Corp"] }]);
  act(() => exportOptions.set(readOptions(null)));
});

it("says why it has failed, and can be asked again", async () => {
  const page = await openDialog();
  page.answer({ convert_session: new Error("Its working directory is not known.") });
  await page.user.click(screen.getByRole("button", { name: "Hand over" }));
  await screen.findByText(/Its working directory is not known/);
  screen.getByRole("button", { name: "Hand over" });
});

it("speaks Chinese", async () => {
  await openDialog("zh");
  await screen.findByText("将该分支写成 pi 的新会话，保留工具调用及其结果。此会话保持不变。");
});

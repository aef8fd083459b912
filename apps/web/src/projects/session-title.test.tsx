import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";

const NAME = "2026-11-23T03-35-36-301Z_fb91";
const SILENT = { message_count: 0, path: `/sessions/${NAME}.jsonl`, title: NAME };

it("a session in which nothing was said is called by its project, in the list, its header and its tab", async () => {
  const record = sessionRecord(NAME, { ...SILENT, cwd: "/home/me/tides" });
  await openPage(`/session?path=${encodeURIComponent(record.path)}`, { sessions: [record] });
  await screen.findByRole("link", { name: "New session in tides" });
  const main = await screen.findByRole("heading", { level: 1, name: /New session in tides/ });
  within(main).getByText("New session in tides");
  expect(document.title).toContain("New session in tides");
});

it.each([
  ["it has a name", { name: "Tides", title: "Tides" }, "Tides"],
  ["something was said", { message_count: 1, first_message: "Hello", title: "Hello" }, "Hello"],
  [
    "its title has marks of Markdown",
    { message_count: 1, title: "## Please **review** `__init__.py`" },
    "Please review __init__.py",
  ],
  ["its title is nothing but marks", { message_count: 1, title: "```" }, "```"],
  ["its name has marks", { name: "**Tides**", title: "**Tides**" }, "**Tides**"],
  ["its title is another one", { title: "Told by its parent" }, "Told by its parent"],
  ["its folder is not known", { cwd: null }, "New session"],
])("where %s it is called so", async (_, fields, title) => {
  await openPage("/", { sessions: [sessionRecord(NAME, { ...SILENT, ...fields })] });
  await screen.findByRole("link", { name: title });
});

import { emit } from "@tauri-apps/api/event";
import { clearMocks, mockIPC } from "@tauri-apps/api/mocks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { desktop } from "./tauri.ts";

/** What the application was asked for. */
const asked: [command: string, args: unknown][] = [];
let answer: () => unknown = () => null;

beforeEach(() => {
  vi.stubGlobal("window", globalThis);
  asked.length = 0;
  mockIPC(
    (command, args) => {
      asked.push([command, args]);
      return answer();
    },
    { shouldMockEvents: true },
  );
});

afterEach(() => {
  clearMocks();
  vi.unstubAllGlobals();
});

describe("the desktop application", () => {
  it("is asked by the names of its commands", async () => {
    answer = () => "/home/user/a.html";
    await desktop.openInBrowser("http://127.0.0.1:1/");
    expect(await desktop.saveExport("/api/export?ticket=t", "a.zip")).toBe("/home/user/a.html");
    await desktop.revealInFileManager("/home/user/a.html");
    await desktop.notify("A session", "The agent asks.", "/live?session=a");
    const rows = [{ text: "A session", address: "/live?session=a", isWaiting: true }];
    await desktop.showInTray(rows);
    expect(await desktop.pendingPlace()).toBe("/home/user/a.html");
    expect(asked).toEqual([
      ["open_in_browser", { url: "http://127.0.0.1:1/" }],
      ["save_export", { path: "/api/export?ticket=t", suggestedName: "a.zip" }],
      ["reveal_in_file_manager", { path: "/home/user/a.html" }],
      ["notify", { title: "A session", body: "The agent asks.", address: "/live?session=a" }],
      ["show_in_tray", { rows }],
      ["pending_place", {}],
    ]);
  });

  it("says why it refuses", async () => {
    answer = () => Promise.reject("The file is gone.");
    await expect(desktop.revealInFileManager("/gone")).rejects.toThrow("The file is gone.");
  });

  it("tells of what is opened and of its menu until nobody listens any more", async () => {
    const told: unknown[] = [];
    const stop = await desktop.onOpened((place) => told.push(place));
    await desktop.onMenu((action) => told.push(action));
    await emit("opened", { file: "/a.jsonl" });
    await emit("menu", { action: "go.search" });
    stop();
    await emit("opened", { file: "/b.jsonl" });
    expect(told).toEqual([{ file: "/a.jsonl" }, "go.search"]);
  });
});

import { CommandError, ConnectionError } from "@sm/router/client";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";

const isClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
const hasFocus = (element: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element));

it("the keys of what can be done are shown by ?, and run nothing while they are", async () => {
  const page = await openPage("/", { sessions: [sessionRecord("A session")] });
  await page.user.keyboard("?");
  const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  expect(within(dialog).getByText("Show keyboard shortcuts").nextSibling?.textContent).toBe("?");
  await page.user.keyboard("gu");
  expect(page.address()).toBe("/");
  await page.user.keyboard("{Escape}");
  await isClosed();
});

it.each([
  ["gt", "/terminals"],
  ["gu", "/statistics"],
  ["/", "/search"],
])("the keys %s go to %s, and are letters in a field", async (keys, address) => {
  const page = await openPage("/");
  const field = screen.getByRole<HTMLInputElement>("searchbox");
  await page.user.click(field);
  await page.user.keyboard(keys);
  expect(field.value).toBe(keys);
  expect(location.pathname).toBe("/");
  await page.user.clear(field);
  field.blur();
  await page.user.keyboard(keys);
  await waitFor(() => expect(location.pathname).toBe(address));
});

it("an address that leads nowhere says so, with a way back", async () => {
  const page = await openPage("/nothing/here");
  await screen.findByRole("heading", { level: 1, name: "Page not found" });
  await page.user.click(screen.getByRole("link", { name: "Go to sessions" }));
  await waitFor(() => expect(location.pathname).toBe("/"));
});

it("a token is asked for, and the dialog stays until the service takes one", async () => {
  const error = new CommandError("UNAUTHORIZED", "A token is needed.");
  const page = await openPage("/", { connection: { state: "unauthorized", error } });
  const dialog = await screen.findByRole("dialog", { name: "API token required" });
  await hasFocus(within(dialog).getByLabelText("Token"));
  await page.user.keyboard("{Escape}{Enter}");
  expect(page.signedIn).toEqual([]);
  await page.user.keyboard("  sm_first  {Enter}");
  await page.user.click(within(dialog).getByLabelText("Remember it in this browser"));
  await page.user.click(within(dialog).getByRole("button", { name: "Continue" }));
  expect(page.signedIn).toEqual([
    { token: "sm_first", remember: false },
    { token: "sm_first", remember: true },
  ]);
  page.connect({ state: "open", over: "websocket" });
  await isClosed();
});

it("a connection that is lost or refused is told, and no longer when it is back", async () => {
  const page = await openPage("/");
  page.connect({ state: "waiting", error: new ConnectionError("CLOSED", "The connection was closed.") });
  await screen.findByText("Connection lost. Reconnecting…");
  page.connect({ state: "open", over: "http" });
  await waitFor(() => expect(screen.queryByText("Connection lost. Reconnecting…")).toBeNull());
  page.connect({ state: "refused", error: new CommandError("FORBIDDEN", "This origin is not allowed.") });
  const refusal = "The service refuses this page: This origin is not allowed.";
  await screen.findByText(refusal);
  screen.getByRole("img", { name: refusal });
});

it("the page speaks Chinese to those who chose it", async () => {
  const page = await openPage("/", { locale: "zh" });
  expect(document.documentElement.lang).toBe("zh-CN");
  await page.user.keyboard("?");
  await screen.findByRole("dialog", { name: "键盘快捷键" });
});

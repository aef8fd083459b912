import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";
import { exportOptions, readOptions } from "./export-options.ts";
import { requestExport } from "./export-request.ts";

const OWN = sessionRecord("Tide clock", { cwd: "/home/ada/tides" });
const OTHER = sessionRecord("Recipes", { cwd: "/home/ada/recipes" });

afterEach(() => {
  act(() => requestExport(null));
  act(() => exportOptions.set(readOptions(null)));
});

async function openDialog(words = "") {
  exportOptions.set({ ...readOptions(null), format: "json", redact: true, words });
  const page = await openPage("/", {
    sessions: [OWN, OTHER],
    answers: {
      export_sessions: { url: "/api/export?ticket=t", expires_at: "2026-01-01T00:00:00.000Z" },
    },
  });
  await screen.findByRole("link", { name: "Tide clock" });
  act(() => requestExport({ paths: [OWN.path, OTHER.path] }));
  const dialog = await screen.findByRole("dialog", { name: "Export" });
  return { page, dialog, field: await within(dialog).findByLabelText("Also replace") };
}

it("words to replace go along with an export, and are remembered", async () => {
  const { page, dialog, field } = await openDialog();
  await page.user.type(field, "Acme  Corp, Bo");
  await page.user.click(within(dialog).getByRole("button", { name: "Save as ZIP" }));
  await waitFor(() => expect(page.asked("export_sessions")).toHaveLength(1));
  expect(page.asked("export_sessions")).toEqual([
    { paths: [OWN.path, OTHER.path], format: "json", redact: true, redact_words: ["Acme Corp", "Bo"] },
  ]);
  expect(exportOptions.get().words).toBe("Acme  Corp, Bo");
});

it("the name of the account is offered once, until it is among them", async () => {
  const { page, dialog, field } = await openDialog("Bo");
  const offer = () => within(dialog).queryAllByRole("button", { name: /Also replace “ada”/ });
  expect(offer()).toHaveLength(1);
  await page.user.click(offer()[0] as HTMLElement);
  expect(field).toHaveProperty("value", "Bo\nada");
  expect(offer()).toEqual([]);
  expect(exportOptions.get().words).toBe("Bo\nada");
});

it("nothing is exported while a word cannot be replaced", async () => {
  const { page, dialog, field } = await openDialog();
  await page.user.type(field, "Bo, x");
  await within(dialog).findByText("“x” is too short: use at least 2 characters.");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  await page.user.click(within(dialog).getByRole("button", { name: "Save as ZIP" }));
  expect(page.asked("export_sessions")).toEqual([]);
  await page.user.type(field, "yz");
  await page.user.tab();
  expect(within(dialog).getByRole("button", { name: "Save as ZIP" })).toHaveProperty("disabled", false);
});

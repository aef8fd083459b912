import { screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { openPage } from "../page.fixture.tsx";
import { pushDevicePreference } from "../push/push-preference.ts";
import { browserName } from "../push/subscription.ts";

const DEVICES = [
  { id: "d1", name: "Firefox on Android", created_at: "2026-03-01T10:00:00.000Z" },
  { id: "d2", name: "Chrome on Linux", created_at: "2026-03-02T10:00:00.000Z" },
];

afterEach(() => pushDevicePreference.set(null));

it("lists the devices that are notified, with this one among them, and removes one", async () => {
  pushDevicePreference.set("d2");
  const page = await openPage("/settings/appearance", {
    answers: {
      list_push_devices: { public_key: "BKey", devices: DEVICES },
      remove_push_device: ({ id }) => ({ id, removed: true }),
    },
  });
  const list = await screen.findByRole("list", { name: "Devices that get notifications" });
  expect(list.textContent).toMatch(/Firefox on Android.*Chrome on Linux.*This device/);
  page.answer({ list_push_devices: { public_key: "BKey", devices: DEVICES.slice(1) } });
  await page.user.click(screen.getByRole("button", { name: "Remove Firefox on Android" }));
  await screen.findByText("Firefox on Android no longer gets notifications");
  expect(page.asked("remove_push_device")).toEqual([{ id: "d1" }]);
});

it("says what it needs where it cannot work", async () => {
  await openPage("/settings/appearance", { answers: { list_push_devices: { public_key: "BKey", devices: [] } } });
  const toggle = await screen.findByRole("switch", { name: "Notify this device when agents ask, fail or finish" });
  expect(toggle).toHaveProperty("disabled", true);
  await screen.findByText(/^(Browsers allow this only|This browser does not support it)/);
});

it.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox on Linux"],
  ["Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile Safari/537.36", "Chrome on Android"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36 Edg/141.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
    "Safari on iPhone",
  ],
])("names %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

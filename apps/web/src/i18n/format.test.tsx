import { afterAll, describe, expect, it } from "vitest";
import { formatBytes, formatDuration, formatRelative } from "./format.ts";
import { type Locale, loadLocale, localePreference } from "./locale.ts";

async function speak(locale: Locale) {
  localePreference.set(locale);
  await loadLocale();
}

afterAll(() => speak("en"));

describe.each<[Locale, [milliseconds: number, text: string][]]>([
  [
    "en",
    [
      [849.6, "850 ms"],
      [999.6, "1 s"],
      [3_240, "3.2 s"],
      [59_960, "1 min 0 s"],
      [245_900, "4 min 5 s"],
      [3_599_999, "59 min 59 s"],
      [7_800_000, "2 h 10 min"],
    ],
  ],
  [
    "zh",
    [
      [850, "850 毫秒"],
      [3_200, "3.2 秒"],
      [245_000, "4 分 5 秒"],
      [7_800_000, "2 小时 10 分"],
    ],
  ],
])("durations in %s", (locale, cases) => {
  it.each(cases)("%d ms are %s", async (milliseconds, text) => {
    await speak(locale);
    expect(formatDuration(milliseconds)).toBe(text);
  });
});

const NOW = new Date("2026-03-01T12:00:00.000Z");

it.each([
  [59_400, "59s ago"],
  [59_600, "1m ago"],
  [59.7 * 60_000, "1h ago"],
  [23.6 * 3_600_000, "yesterday"],
  [-23.6 * 3_600_000, "tomorrow"],
])("%d ms ago is told in the unit that it is rounded to", async (milliseconds, text) => {
  await speak("en");
  expect(formatRelative(new Date(NOW.getTime() - milliseconds), NOW)).toBe(text);
});

it.each([
  [0, "0 B"],
  [1_023, "1,023 B"],
  [1_536, "1.5 KB"],
  [1_048_575, "1 MB"],
  [1_024 ** 6, "1,048,576 TB"],
])("%d bytes are %s", async (bytes, text) => {
  await speak("en");
  expect(formatBytes(bytes)).toBe(text);
});

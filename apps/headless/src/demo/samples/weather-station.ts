import { SessionWriter } from "../session-writer.ts";
import { SONNET } from "./models.ts";

/** Finds and fixes a bug: tool calls, thinking, an edit with its diff, a name. */
export function weatherStation(startedAt: number): SessionWriter {
  const session = new SessionWriter({ cwd: "/home/ada/projects/weather-station", startedAt, model: SONNET });
  session.user(
    "Every night at 00:00 the humidity on the dashboard drops to 0 for one reading and then comes back. " +
      "The sensor itself logs fine values. Can you find out why?",
  );
  session.assistant({
    thinking:
      "One reading at exactly midnight, and the sensor is fine, so something between the sensor and the dashboard " +
      "treats the first reading of a day differently. Daily aggregation or a file rollover would do that.",
    before: "That it happens at midnight sharp points at whatever starts a new day. I will look at the storage first.",
    tools: [
      {
        name: "bash",
        arguments: { command: 'grep -rn "humidity" src --include="*.ts" | head -20' },
        output: [
          "src/dashboard/series.ts:18:  const humidity = smooth(readings.map((reading) => reading.humidity));",
          "src/sensor/bme280.ts:42:    humidity: compensateHumidity(raw.humidity, calibration),",
          "src/store/daily-file.ts:27:    const previous = this.last?.humidity ?? 0;",
          "src/store/daily-file.ts:28:    const humidity = previous + reading.delta.humidity;",
          "",
        ].join("\n"),
      },
      {
        name: "read",
        arguments: { path: "src/store/daily-file.ts", offset: 15, limit: 25 },
        output: [
          "export class DailyFile {",
          "  private last: Reading | null = null;",
          "",
          "  async append(reading: DeltaReading): Promise<void> {",
          "    if (reading.day !== this.day) {",
          "      await this.rollOver(reading.day);",
          "      this.last = null;",
          "    }",
          "    // Readings arrive as differences to keep the radio quiet.",
          "    const previous = this.last?.humidity ?? 0;",
          "    const humidity = previous + reading.delta.humidity;",
          "    this.last = { ...reading, humidity };",
          '    await this.file.write(JSON.stringify(this.last) + "\\n");',
          "  }",
          "",
        ].join("\n"),
      },
    ],
    text:
      "Found it. Readings arrive as **differences** to the one before, and `DailyFile` forgets the last absolute value " +
      "when it rolls over to a new file:\n\n" +
      "```ts\nawait this.rollOver(reading.day);\nthis.last = null; // the next difference is added to 0\n```\n\n" +
      "So the first reading of each day is just its difference, about 0. The second one should be wrong as well, " +
      "but the sensor sends a full value every ten readings and hides that.\n\n" +
      "Shall I keep the last value across the rollover and add a test?",
  });
  session.user("Yes please, test first.");
  session.assistant({
    before: "A test that crosses midnight, before the fix:",
    tools: [
      {
        name: "write",
        arguments: {
          path: "src/store/daily-file.test.ts",
          content: [
            'import { expect, test } from "vitest";',
            'import { DailyFile } from "./daily-file.ts";',
            "",
            'test("keeps the last value over midnight", async () => {',
            "  const file = DailyFile.inMemory();",
            '  await file.append({ day: "2025-03-01", delta: { humidity: 54 } });',
            '  await file.append({ day: "2025-03-02", delta: { humidity: 1 } });',
            "  expect(file.lines().at(-1)?.humidity).toBe(55);",
            "});",
            "",
          ].join("\n"),
        },
        output: "Successfully wrote 328 bytes to src/store/daily-file.test.ts",
      },
      {
        name: "bash",
        arguments: { command: "npx vitest run src/store" },
        output:
          " FAIL  src/store/daily-file.test.ts > keeps the last value over midnight\n" +
          "AssertionError: expected 1 to be 55\n\n Test Files  1 failed (1)\n      Tests  1 failed (1)\n",
        failed: true,
      },
      {
        name: "edit",
        arguments: {
          path: "src/store/daily-file.ts",
          edits: [
            {
              oldText: "      await this.rollOver(reading.day);\n      this.last = null;\n",
              newText: "      await this.rollOver(reading.day);\n",
            },
          ],
        },
        output: "Successfully replaced 1 block(s) in src/store/daily-file.ts.",
        diff: [
          " 18   async append(reading: DeltaReading): Promise<void> {",
          " 19     if (reading.day !== this.day) {",
          " 20       await this.rollOver(reading.day);",
          "-21       this.last = null;",
          " 21     }",
          " 22     // Readings arrive as differences to keep the radio quiet.",
        ].join("\n"),
      },
      {
        name: "bash",
        arguments: { command: "npx vitest run" },
        output: " Test Files  9 passed (9)\n      Tests  61 passed (61)\n   Duration  1.84s\n",
      },
    ],
    text:
      "The test failed with `expected 1 to be 55`, and passes now with the other 60. The fix is one line less: the last " +
      "value simply lives on across the rollover.\n\nOld files keep their zeros. If you want, I can write a small script " +
      "that drops the first reading of each day where it is below 5 %.",
  });
  session.user("No need, I like the archaeology. Thanks!");
  session.assistant({ text: "Then they stay as fossils. The fix is ready to commit." });
  session.name("Fix the midnight humidity drop");
  return session;
}

import { describe, expect, it } from "vitest";
import { TransferLine } from "./transfer-line.ts";

const CLEAR = "\r\x1b[2K";

function onTerminal(isTTY: boolean) {
  const written: string[] = [];
  let time = 0;
  const line = new TransferLine({ isTTY, write: (text) => written.push(text) }, () => time);
  const pass = async (...sizes: number[]) => {
    async function* chunks() {
      for (const size of sizes) {
        time += 60;
        yield new Uint8Array(size);
      }
    }
    const passed: number[] = [];
    for await (const { length } of line.counted(chunks())) passed.push(length);
    return passed;
  };
  return { line, written, pass };
}

describe("TransferLine", () => {
  it("tells how much has passed, ten times a second at most", async () => {
    const { line, written, pass } = onTerminal(true);
    expect(await pass(1_000_000, 500_000, 500_000)).toEqual([1_000_000, 500_000, 500_000]);
    line.begin("Exporting 2 of 3");
    await pass(0, 250_000);
    line.clear();
    line.clear();
    expect(written).toEqual([
      `${CLEAR}Exporting: 1 MB`,
      `${CLEAR}Exporting: 2 MB`,
      `${CLEAR}Exporting 2 of 3: 2.3 MB`,
      CLEAR,
    ]);
  });

  it("is silent elsewhere", async () => {
    const { line, written, pass } = onTerminal(false);
    expect(await pass(1, 2)).toEqual([1, 2]);
    line.clear();
    expect(written).toEqual([]);
  });
});

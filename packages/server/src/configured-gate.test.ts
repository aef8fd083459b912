import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { loadConfig } from "./config.ts";
import { configuredGate } from "./configured-gate.ts";
import { createLog } from "./log.ts";
import type { Metrics } from "./metrics.ts";

describe("configuredGate", () => {
  it("counts every wrong token, but does not let them fill the log", async () => {
    const folder = await mkdtemp(join(tmpdir(), "session-manager-gate-"));
    const { config } = await loadConfig(folder, {}, folder);
    await rm(folder, { recursive: true });
    const lines: string[] = [];
    const countAuthFailure = vi.fn();
    const gate = configuredGate(
      config,
      { verify: () => null, onEnd: () => () => {} },
      createLog("info", { write: (line) => lines.push(line) }),
      { countAuthFailure } as Pick<Metrics, "countAuthFailure">,
      null,
    );
    const request = {
      socket: { remoteAddress: "203.0.113.7", localPort: 52_131 },
      headers: { host: "localhost:52131", authorization: "Bearer sm_guess" },
    };
    for (let count = 0; count < 1_000; count += 1) expect(() => gate.admit(request)).toThrow();
    expect(countAuthFailure).toHaveBeenCalledTimes(1_000);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(100);
    expect(lines.join()).not.toContain("sm_guess");
  });
});

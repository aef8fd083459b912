import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestsPerSecond } from "./load.ts";
import { bytesRead, CAN_WATCH_PROCESSES, processorTime, residentMemory } from "./process-tree.ts";
import { ServerProcess } from "./server-process.ts";

let directory: string;
let program: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "session-manager-server-test-"));
  program = join(directory, "server.mjs");
  writeFileSync(
    program,
    `
    import { spawn } from "node:child_process";
    import { readFileSync } from "node:fs";
    import { createServer } from "node:http";
    if (process.argv[2] === "broken") {
      console.error("no luck");
      process.exit(3);
    }
    const kept = [];
    const server = createServer((request, response) => {
      if (request.url === "/grow") kept.push(Buffer.alloc(100e6, 1));
      if (request.url === "/read") readFileSync(process.execPath);
      if (request.url === "/burn") {
        const start = process.cpuUsage();
        for (let used = start; used.user + used.system < 300e3 + start.user + start.system; used = process.cpuUsage());
      }
      if (request.url === "/fork") {
        const child = spawn(process.execPath, ["-e", "const b = Buffer.alloc(80e6, 1); console.log(b.length); process.stdin.resume()"]);
        child.stdout.once("data", () => response.end("forked"));
        process.once("exit", () => child.kill());
        return;
      }
      response.statusCode = process.argv[2] === "refusing" ? 500 : 200;
      let size = 0;
      request.on("data", (chunk) => (size += chunk.length));
      request.on("end", () => response.setHeader("Content-Length", 6).end(String(size).padStart(6)));
    });
    process.once("SIGTERM", () => process.exit(0));
    server.listen(0, "127.0.0.1", () => console.log("Listening on http://127.0.0.1:" + server.address().port));
    `,
  );
});

afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

async function withServer(args: string[], use: (server: ServerProcess) => Promise<void>): Promise<void> {
  const server = await ServerProcess.start(program, args);
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

describe("ServerProcess", () => {
  it("starts, answers and ends", async () => {
    await withServer([], async (server) => {
      expect(server.elapsed()).toBeGreaterThan(0);
      expect(await server.send("POST", "/api", "{}")).toEqual({ status: 200, body: "     2" });
      await server.stop();
      await expect(server.send("GET", "/")).rejects.toThrow();
    });
  });

  it("says what a program said that ended before it listened", async () => {
    await expect(ServerProcess.start(program, ["broken"])).rejects.toThrow(/ended with 3 .*\n.*no luck/);
  });
});

describe("requestsPerSecond", () => {
  it("counts answers", async () => {
    await withServer([], async (server) => {
      expect(await requestsPerSecond(server.url, '{"a":1}', 0.3)).toBeGreaterThan(10);
    });
  });

  it("does not count refusals", async () => {
    await withServer(["refusing"], async (server) => {
      await expect(requestsPerSecond(server.url, "{}", 0.1)).rejects.toThrow(/500/);
    });
  });
});

describe.runIf(CAN_WATCH_PROCESSES)("process tree", () => {
  it("adds up the memory of children and remembers the peak", async () => {
    await withServer([], async (server) => {
      const before = residentMemory(server.pid);
      await server.send("GET", "/grow");
      expect(residentMemory(server.pid) - before).toBeGreaterThan(90e6);
      await server.send("GET", "/fork");
      expect(residentMemory(server.pid) - before).toBeGreaterThan(170e6);
      expect(server.memory.peak).toBeGreaterThan(170e6);
    });
  });

  it("counts the bytes that were read", async () => {
    await withServer([], async (server) => {
      const before = bytesRead(server.pid);
      await server.send("GET", "/read");
      const read = bytesRead(server.pid) - before;
      const { size } = statSync(process.execPath);
      expect(read).toBeGreaterThanOrEqual(size);
      expect(read).toBeLessThan(1.1 * size);
    });
  });

  it("counts processor time that was used, not time that passed", async () => {
    await withServer([], async (server) => {
      await server.send("GET", "/");
      const before = processorTime(server.pid);
      await pause(400);
      const idle = processorTime(server.pid);
      expect(idle - before).toBeLessThan(0.1);
      await server.send("GET", "/burn");
      const used = processorTime(server.pid) - idle;
      expect(used).toBeGreaterThan(0.25);
      expect(used).toBeLessThan(0.6);
    });
  });
});

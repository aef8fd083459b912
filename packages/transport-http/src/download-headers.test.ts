import { connect } from "node:net";
import { AppError, EXPORT_SCRIPT_HASH, type ExportStream, type ExportStreamOptions } from "@sm/core";
import { describe, expect, it } from "vitest";
import { contentDisposition } from "./download-headers.ts";
import type { ListenOptions } from "./server.ts";
import { send, serve, testOptions } from "./test-client.ts";

const QUERY = "path=/s/a.jsonl&format=jsonl";

/** Serves downloads of `chunks`; tells which were asked for, and whether the source was closed. */
async function serveChunks(
  chunks: () => AsyncGenerator<Uint8Array>,
  stream: Partial<ExportStream> = {},
  listen: Partial<ListenOptions> = {},
) {
  const asked: ExportStreamOptions[] = [];
  const source = { closed: false, taken: 0 };
  const { sessions } = testOptions({ logged: [], dispatched: [] });
  const exportStream = async (options: ExportStreamOptions) => {
    asked.push(options);
    return { file_name: "a.jsonl", media_type: "application/x-ndjson", chunks: watched(chunks(), source), ...stream };
  };
  const server = await serve({ sessions: { ...sessions, exportStream } }, listen);
  return Object.assign(server, { asked, source });
}

async function* watched(chunks: AsyncGenerator<Uint8Array>, source: { closed: boolean; taken: number }) {
  try {
    for await (const chunk of chunks) {
      source.taken += 1;
      yield chunk;
    }
  } finally {
    source.closed = true;
  }
}

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe("GET /api/export", () => {
  it("streams the pieces under a name", async () => {
    await using server = await serveChunks(
      async function* () {
        yield Buffer.from('{"type":"session"}\n');
        yield Buffer.from("ä\u2028\n");
      },
      { file_name: "Größe “1”.md", media_type: "text/markdown; charset=utf-8" },
    );
    const answer = await send(`${server.url}/api/export?${QUERY}&include_tools=false`);
    expect(answer).toMatchObject({ status: 200, body: '{"type":"session"}\nä\u2028\n' });
    expect(answer.headers).toMatchObject({
      "content-type": "text/markdown; charset=utf-8",
      "content-disposition": `attachment; filename="Gr__e _1_.md"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E2%80%9C1%E2%80%9D.md`,
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "x-session-manager-version": "1.2.3",
      "cache-control": "no-store",
    });
    expect(server.asked).toEqual([
      {
        path: "/s/a.jsonl",
        format: "jsonl",
        include_subagents: false,
        include_thinking: true,
        include_tools: false,
        redact: false,
        theme: "system",
      },
    ]);
  });

  it("answers HEAD with the headers, and takes nothing from the source", async () => {
    await using server = await serveChunks(async function* () {
      yield Buffer.from("x");
    });
    const answer = await send(`${server.url}/api/export?${QUERY}`, { method: "HEAD" });
    expect(answer).toMatchObject({ status: 200, body: "" });
    expect(answer.headers["content-disposition"]).toContain("a.jsonl");
    expect(server.source.taken).toBe(0);
  });

  it("shows a page only where nothing of it has a part in the service", async () => {
    await using server = await serveChunks(
      async function* () {
        yield Buffer.from("<!doctype html>");
      },
      { file_name: "a.html", media_type: "text/html; charset=utf-8" },
    );
    const address = `${server.url}/api/export?path=/s/a.jsonl&format=html`;
    for (const method of ["HEAD", "GET"]) {
      const { headers } = await send(`${address}&disposition=inline`, { method });
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "content-disposition": `inline; filename="a.html"; filename*=UTF-8''a.html`,
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "cross-origin-opener-policy": "unsafe-none",
      });
      const policy = String(headers["content-security-policy"]).split("; ");
      expect(policy).toEqual(
        expect.arrayContaining(["default-src 'none'", `script-src '${EXPORT_SCRIPT_HASH}'`, "frame-ancestors 'none'"]),
      );
      const [, ...allowed] = policy.find((directive) => directive.startsWith("sandbox"))?.split(" ") ?? [];
      expect(allowed).toEqual(["allow-scripts", "allow-popups", "allow-popups-to-escape-sandbox"]);
    }
    const saved = await send(address);
    expect(saved.headers["content-security-policy"]).toBeUndefined();
    expect(server.asked.map((options) => Object.keys(options).includes("disposition"))).toEqual([false, false, false]);
  });

  it("answers a ticket with what it stands for, and HEAD without using it up", async () => {
    const zip = (): ExportStream => ({
      file_name: "sessions.zip",
      media_type: "application/zip",
      chunks: (async function* () {
        yield Buffer.from("PK");
      })(),
    });
    const used: string[] = [];
    const take = (how: string) => async (ticket: string) => {
      used.push(`${how} ${ticket}`);
      return zip();
    };
    await using server = await serve({ exportTickets: { look: take("look"), redeem: take("redeem") } });
    for (const method of ["HEAD", "GET"]) {
      const answer = await send(`${server.url}/api/export?ticket=t1`, { method });
      expect(answer).toMatchObject({ status: 200, body: method === "GET" ? "PK" : "" });
      expect(answer.headers).toMatchObject({
        "content-type": "application/zip",
        "content-disposition": expect.stringContaining('filename="sessions.zip"'),
        "cache-control": "no-store",
      });
    }
    expect(used).toEqual(["look t1", "redeem t1"]);
  });

  it.each([
    ["", 400, "INVALID_PAYLOAD"],
    ["path=/s/a.jsonl&format=zip", 400, "INVALID_PAYLOAD"],
    [`${QUERY}&disposition=inline`, 400, "INVALID_PAYLOAD"],
    [`${QUERY}&unknown=1`, 400, "INVALID_PAYLOAD"],
    ["ticket=none", 404, "NOT_FOUND"],
    [`${QUERY}&ticket=none`, 400, "INVALID_PAYLOAD"],
  ])("refuses %j as export_session would", async (query, status, code) => {
    await using server = await serve();
    const answer = await send(`${server.url}/api/export?${query}`);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, data: null, error: { code } });
  });

  it("says what the library says", async () => {
    const { sessions } = testOptions({ logged: [], dispatched: [] });
    const exportStream = () => Promise.reject(new AppError("FORBIDDEN", "The path is outside."));
    await using server = await serve({ sessions: { ...sessions, exportStream } });
    const answer = await send(`${server.url}/api/export?${QUERY}`);
    expect(answer.status).toBe(403);
    expect(answer.headers["content-disposition"]).toBeUndefined();
  });

  it.each<[what: string, error: Error, status: number, code: string, logged: number]>([
    ["is told", new AppError("UNAVAILABLE", "The disk is away."), 503, "UNAVAILABLE", 0],
    ["is logged where it is a defect", new TypeError("secret"), 500, "INTERNAL", 1],
  ])("an error before the first piece %s, as nothing was sent yet", async (_what, error, status, code, logged) => {
    // biome-ignore lint/correctness/useYield: the first piece cannot be had.
    await using server = await serveChunks(async function* () {
      throw error;
    });
    const answer = await send(`${server.url}/api/export?${QUERY}`);
    expect(answer).toMatchObject({ status, body: expect.not.stringContaining("secret") });
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, error: { code } });
    expect(answer.headers["content-disposition"]).toBeUndefined();
    expect(server.source.closed).toBe(true);
    expect(server.logged).toHaveLength(logged);
  });

  it("closes the source when the client leaves before the first piece", async () => {
    let begin = () => {};
    const first = new Promise<void>((resolve) => (begin = resolve));
    let isAsked = false;
    await using server = await serveChunks(async function* () {
      isAsked = true;
      await first;
      for (;;) yield Buffer.from("first");
    });
    const socket = connect(server.port, "127.0.0.1", () =>
      socket.write(`GET /api/export?${QUERY} HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`),
    );
    socket.on("error", () => {});
    await until(() => isAsked);
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    begin();
    await until(() => server.source.closed);
    expect(server.logged).toEqual([]);
  });

  it("breaks the connection when the source fails, so that the file does not look complete", async () => {
    await using server = await serveChunks(async function* () {
      yield Buffer.from("first line\n");
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error("secret");
    });
    const bytes: Buffer[] = [];
    const socket = connect(server.port, "127.0.0.1", () =>
      socket.write(`GET /api/export?${QUERY} HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`),
    );
    socket.on("data", (data) => bytes.push(data));
    socket.on("error", () => {});
    await new Promise((resolve) => socket.once("close", resolve));
    const answer = Buffer.concat(bytes).toString();
    expect(answer).toContain("first line");
    expect(answer).not.toContain("0\r\n\r\n");
    expect(answer).not.toContain("secret");
    expect(server.logged).toHaveLength(1);
    await expect(send(`${server.url}/api/export?${QUERY}`)).rejects.toThrow();
  });

  it("takes no more from the source than the client reads, and closes it when the client leaves", async () => {
    const piece = Buffer.alloc(65_536);
    await using server = await serveChunks(async function* () {
      for (;;) yield piece;
    });
    const socket = connect(server.port, "127.0.0.1", () =>
      socket.write(`GET /api/export?${QUERY} HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`),
    );
    socket.on("error", () => {});
    socket.pause();
    let before = -1;
    // Until nothing moves any more: the buffers of both sockets are full.
    while (before !== server.source.taken || before === 0) {
      before = server.source.taken;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(before * piece.length).toBeLessThan(64 * 1_048_576);
    socket.destroy();
    await until(() => server.source.closed);
    expect(server.logged).toEqual([]);
  });
});

describe("a connection with a download under way", () => {
  /** Starts a download that has sent its first piece; `finish` lets the source send the last one. */
  async function startDownload(server: Awaited<ReturnType<typeof serveChunks>>) {
    const socket = connect(server.port, "127.0.0.1", () =>
      socket.write(`GET /api/export?${QUERY} HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`),
    );
    const received = { text: "" };
    socket.on("error", () => {});
    socket.on("data", (data) => {
      received.text += data.toString();
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await until(() => received.text.includes("first"));
    return { socket, received, closed };
  }

  function twoPieces() {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    async function* chunks() {
      yield Buffer.from("first");
      await finished;
      yield Buffer.from("last");
    }
    return { chunks, finish };
  }

  // Node itself would keep the connection for 5 s.
  it("closes as soon as the download is complete, once the server closes", async () => {
    const { chunks, finish } = twoPieces();
    const server = await serveChunks(chunks, {}, { graceMs: 60_000 });
    const { received, closed } = await startDownload(server);
    const closing = server.close();
    finish();
    await Promise.all([closing, closed]);
    expect(received.text).toContain("last\r\n0\r\n\r\n");
  }, 3_000);

  it("gets no error message into the middle of the file", async () => {
    const { chunks, finish } = twoPieces();
    await using server = await serveChunks(chunks);
    const { socket, received, closed } = await startDownload(server);
    socket.write("no HTTP\r\n\r\n");
    await closed;
    finish();
    expect(received.text).not.toContain("400 Bad Request");
  });
});

describe("contentDisposition", () => {
  it.each([
    ["a.md", `attachment; filename="a.md"; filename*=UTF-8''a.md`],
    ['a"b\\c%.md', `attachment; filename="a_b_c_.md"; filename*=UTF-8''a%22b%5Cc%25.md`],
    ["a\r\nX: 1.md", `attachment; filename="a__X: 1.md"; filename*=UTF-8''a__X%3A%201.md`],
    ["(it's)*.md", `attachment; filename="(it's)*.md"; filename*=UTF-8''%28it%27s%29%2A.md`],
    ["\ud800.md", `attachment; filename="_.md"; filename*=UTF-8''_.md`],
    ["会話.md", `attachment; filename="__.md"; filename*=UTF-8''%E4%BC%9A%E8%A9%B1.md`],
  ])("writes %j", (name, expected) => {
    expect(contentDisposition(name, "attachment")).toBe(expected);
  });
});

import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRemote } from "./remote.ts";

let server: Server;
let base: string;
let answer: RequestListener;
let asked: { method: string | undefined; url: string | undefined; token: string | undefined; body: string }[];

beforeEach(async () => {
  asked = [];
  server = createServer(async (request: IncomingMessage, response) => {
    const { method, url, headers } = request;
    asked.push({ method, url, token: headers.authorization, body: await text(request) });
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/behind/a/proxy`;
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const failure = JSON.stringify({
  success: false,
  data: null,
  error: { code: "INVALID_PAYLOAD", message: "It is not valid.", details: [{ path: "path", message: "Required." }] },
});

describe("openRemote", () => {
  it("sends commands with the token in a header", async () => {
    answer = (_request, response) => response.end('{"success": true, "data": ["レ"], "error": null}');
    const connection = openRemote(base, "sm_token");
    expect(await connection.send("no_command", { a: 1 })).toEqual(["レ"]);
    const body = '{"command":"no_command","payload":{"a":1}}';
    expect(asked).toEqual([{ method: "POST", url: "/behind/a/proxy/api", token: "Bearer sm_token", body }]);
    await connection.close();
  });

  it("downloads piece by piece", async () => {
    answer = (_request, response) => {
      const name = `attachment; filename="_.md"; filename*=UTF-8''%E6%BD%AE%27.md`;
      response.writeHead(200, { "Content-Disposition": name }).write("one ");
      response.end("two");
    };
    const connection = openRemote(base, null);
    const query = new URLSearchParams({ path: "/a b&c.jsonl", format: "jsonl" });
    const { fileName, chunks } = await connection.download(query);
    expect(fileName).toBe("潮'.md");
    expect(await text(chunks)).toBe("one two");
    const url = "/behind/a/proxy/api/export?path=%2Fa+b%26c.jsonl&format=jsonl";
    expect(asked).toEqual([{ method: "GET", url, token: undefined, body: "" }]);
  });

  it.each([undefined, "attachment", "attachment; filename*=UTF-8''%E6"])(
    "takes %j for no name",
    async (disposition) => {
      answer = (_request, response) => {
        if (disposition !== undefined) response.setHeader("Content-Disposition", disposition);
        response.end();
      };
      expect((await openRemote(base, null).download(new URLSearchParams())).fileName).toBe("");
    },
  );

  it("does not take a download that breaks off for a whole one", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "Content-Length": 100 }).write("half");
      setImmediate(() => response.destroy());
    };
    const { chunks } = await openRemote(base, null).download(new URLSearchParams());
    await expect(text(chunks)).rejects.toMatchObject({ code: "CLOSED" });
  });

  it.each<[string, RequestListener, object]>([
    [
      "a failure",
      (_request, response) => response.writeHead(400).end(failure),
      { code: "INVALID_PAYLOAD", message: "It is not valid." },
    ],
    ["another program", (_request, response) => response.writeHead(404).end("<html>"), { code: "BAD_ANSWER" }],
    ["a redirection", (_request, response) => response.writeHead(302, { Location: "/" }).end(), { code: "BAD_ANSWER" }],
    ["nothing", (_request, response) => void response.destroy(), { code: "NO_ANSWER" }],
  ])("rejects after %s, on both ways", async (_what, answers, error) => {
    answer = answers;
    const connection = openRemote(base, null);
    await expect(connection.send("ping", {})).rejects.toMatchObject(error);
    await expect(connection.download(new URLSearchParams())).rejects.toMatchObject(error);
  });
});

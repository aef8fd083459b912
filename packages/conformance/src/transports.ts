import type { Caller, CommandResponse } from "@sm/router";
import { statusOf } from "@sm/router";
import type { TestServer } from "./test-server.ts";

/** `owner`: on the same machine. `stranger`: on another one, without a token. */
export type Visitor = "owner" | "stranger";

/** A way to send requests to a server and read the answers. */
export interface Transport {
  name: string;
  call(server: TestServer, request: unknown, visitor: Visitor): Promise<CommandResponse>;
}

const CALLERS: Record<Visitor, Caller> = {
  owner: { local: true, scope: "full" },
  stranger: { local: false, scope: null },
};

const direct: Transport = {
  name: "dispatcher",
  async call(server, request, visitor) {
    // Through text, as a wire would: what JSON does not hold must not be in an answer.
    return JSON.parse(JSON.stringify(await server.dispatcher.dispatch(request, CALLERS[visitor])));
  },
};

export const http: Transport = {
  name: "HTTP",
  async call(server, request, visitor) {
    const answer = await fetch(`${server.url}/api`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(visitor === "stranger" ? { "X-Forwarded-For": "203.0.113.7" } : {}),
      },
      body: JSON.stringify(request),
    });
    const response = (await answer.json()) as CommandResponse;
    if (answer.status !== statusOf(response)) throw new Error(`HTTP status ${answer.status} is not that of its code.`);
    return response;
  },
};

/** Every transport of the service; the suite runs over each, and compares each with the first. */
export const transports: Transport[] = [direct, http];

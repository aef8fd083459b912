import { expect, it, onTestFinished, vi } from "vitest";
import type { Service } from "../client/service.ts";
import { signOut } from "./sign-out.ts";

async function signedOut(token: string | null, fetched: () => Promise<Response>) {
  const happened: unknown[] = [];
  vi.stubGlobal("fetch", async (url: string, { headers }: RequestInit) => {
    happened.push([url, (headers as Record<string, string>).Authorization]);
    return fetched();
  });
  vi.stubGlobal("location", { assign: (url: string) => happened.push(url) });
  onTestFinished(() => void vi.unstubAllGlobals());
  await signOut({ token: () => token, forgetToken: () => happened.push("forgotten") } as unknown as Service);
  return happened;
}

const REVOKE = ["/auth/sign-out", "Bearer sm_x"];
const PROVIDER = "https://id.example.com/end";

it.each<[string, () => Promise<Response>, string]>([
  ["of a provider", async () => Response.json({ success: true, data: { revoked: true, url: PROVIDER } }), PROVIDER],
  ["without a provider", async () => Response.json({ success: false, data: null }, { status: 404 }), "/"],
  ["without a connection", () => Promise.reject(new TypeError("Failed to fetch")), "/"],
])("signing out forgets the token %s, and begins anew", async (_case, fetched, place) => {
  expect(await signedOut("sm_x", fetched)).toEqual([REVOKE, "forgotten", place]);
});

it("nothing is asked where there is no token", async () => {
  expect(await signedOut(null, () => Promise.reject(new Error("unused")))).toEqual(["forgotten", "/"]);
});

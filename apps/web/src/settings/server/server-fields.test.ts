import { describe, expect, it } from "vitest";
import { type Draft, draftOf, FIELD_GROUPS, isChanged, VAULT_GROUPS, withDraft } from "./server-fields.ts";

const SERVER = { http_port: 4000, mine: { kept: [1] }, limits: { body_bytes: 1_000, mine: true } };

function changed(change: Draft, server: Record<string, unknown> = SERVER) {
  const before = draftOf(server, FIELD_GROUPS);
  return withDraft(server, before, { ...before, ...change }, FIELD_GROUPS);
}

describe("the form of the server", () => {
  it("begins with what the file says, else with what is usual", () => {
    expect(draftOf(SERVER, FIELD_GROUPS)).toMatchObject({
      http_port: "4000",
      bind_addr: "127.0.0.1",
      auth_enabled: "true",
      agent_home: "",
      trusted_proxies: "127.0.0.1\n::1",
      "limits.body_bytes": "1000",
      "limits.connections": "1024",
    });
  });

  it("leaves alone what nobody has touched", () => {
    const before = draftOf(SERVER, FIELD_GROUPS);
    expect(isChanged(before, before)).toBe(false);
    expect(withDraft(SERVER, before, before, FIELD_GROUPS)).toEqual(SERVER);
    // Somebody else has changed it meanwhile.
    expect(withDraft({ ...SERVER, http_port: 5000 }, before, before, FIELD_GROUPS)).toMatchObject({ http_port: 5000 });
  });

  it.each<[string, Draft, Record<string, unknown>]>([
    ["a number", { http_port: " 80 " }, { ...SERVER, http_port: 80 }],
    ["what is no number, for the service to refuse", { http_port: "x" }, { ...SERVER, http_port: "x" }],
    ["an emptied field, which becomes the usual one", { http_port: " " }, { mine: SERVER.mine, limits: SERVER.limits }],
    ["a switch", { auth_enabled: "false" }, { ...SERVER, auth_enabled: false }],
    ["a list", { allowed_hosts: " a \n\nb" }, { ...SERVER, allowed_hosts: ["a", "b"] }],
    [
      "a limit among others",
      { "limits.connections": "9" },
      { ...SERVER, limits: { body_bytes: 1_000, mine: true, connections: 9 } },
    ],
  ])("takes %s", (_what, change, expected) => {
    expect(changed(change)).toEqual(expected);
  });

  it("makes the object of limits where there is none", () => {
    expect(changed({ "limits.connections": "9" }, {})).toEqual({ limits: { connections: 9 } });
  });

  it("of the vault changes nothing else", () => {
    const before = draftOf(SERVER, VAULT_GROUPS);
    expect(before).toMatchObject({ "vault.enabled": "true", "vault.max_bytes": "", "vault.deleted_days": "30" });
    const draft = { ...before, "vault.enabled": "false", "vault.exclude_formats": "codex", http_port: "1" };
    expect(withDraft(SERVER, before, draft, VAULT_GROUPS)).toEqual({
      ...SERVER,
      vault: { enabled: false, exclude_formats: ["codex"] },
    });
  });
});

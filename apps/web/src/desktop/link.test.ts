import { describe, expect, it } from "vitest";
import { linkTo, readLink } from "./link.ts";

const PATH = "/home/user/.pi/agent/sessions/a b/é+&=#.jsonl";

describe("readLink", () => {
  it.each<[string, object]>([
    ["session-manager://open", { to: "/" }],
    ["session-manager://open/", { to: "/" }],
    ["session-manager://open?path=/a.jsonl", { to: "/session", search: { path: "/a.jsonl" } }],
    [
      "session-manager://open/?path=%2Fa.jsonl.zst&entry=m1",
      { to: "/session", search: { path: "/a.jsonl.zst", entry: "m1" } },
    ],
    ["session-manager://open?path=C:%5CUsers%5Ca.jsonl", { to: "/session", search: { path: "C:\\Users\\a.jsonl" } }],
    ["session-manager://open?search=tool:bash%20na%C3%AFve", { to: "/search", search: { q: "tool:bash naïve" } }],
    ["Session-Manager://OPEN?live=5f2c", { to: "/live", search: { session: "5f2c" } }],
    ["session-manager://open?screen=statistics", { to: "/statistics" }],
    ["session-manager://open?screen=settings", { to: "/settings/$", params: { _splat: "" } }],
  ])("leads to a place: %s", (link, target) => {
    expect(readLink(link)).toEqual(target);
  });

  it.each([
    "session-manager:",
    "session-manager://",
    "session-manager:open?path=/a.jsonl",
    "session-manager://run?path=/a.jsonl",
    "session-manager://open/run?path=/a.jsonl",
    "session-manager://open:1?path=/a.jsonl",
    "session-manager://user@open?path=/a.jsonl",
    "session-manager://open.evil.example?path=/a.jsonl",
    "session-manager://open?path=/a.jsonl#x",
    " session-manager://open",
    "session-manager://open\n",
    "javascript:alert(1)//session-manager://open",
    "http://open?path=/a.jsonl",
    // What the page's own addresses have, and links have not.
    "session-manager://open?path=/a.jsonl&panel=changes",
    "session-manager://open?live=a&new=1",
    "session-manager://open?new=1&cwd=/tmp",
    "session-manager://open?cwd=/tmp",
    "session-manager://open?token=sm_x",
    "session-manager://open?search=a&tag=1",
    "session-manager://open?__proto__=a",
    "session-manager://open?screen=constructor",
    "session-manager://open?screen=/api/export",
    "session-manager://open?screen=%2F%2Fevil.example",
    // More than one place, or none.
    "session-manager://open?path=/a.jsonl&search=a",
    "session-manager://open?path=/a.jsonl&path=/b.jsonl",
    "session-manager://open?entry=m1",
    "session-manager://open?live=a&entry=m1",
    "session-manager://open?path=",
    "session-manager://open?search=",
    // No file of a session, or of another machine.
    "session-manager://open?path=a.jsonl",
    "session-manager://open?path=/etc/passwd",
    "session-manager://open?path=/a.jsonl%00.txt",
    "session-manager://open?path=//evil/share/a.jsonl",
    "session-manager://open?path=/%5Cevil/share/a.jsonl",
    "session-manager://open?path=%5C%5Cevil%5Cshare%5Ca.jsonl",
    "session-manager://open?path=C:%5C%5Cevil%5Ca.jsonl",
    "session-manager://open?path=file:///a.jsonl",
    "session-manager://open?path=http://evil.example/a.jsonl",
    // Not text, or too much of it.
    "session-manager://open?search=a%0Ab",
    "session-manager://open?search=%FF",
    "session-manager://open?live=%1B%5B2J",
    `session-manager://open?search=${"a".repeat(1_001)}`,
    `session-manager://open?path=/${"a".repeat(8_000)}.jsonl`,
  ])("leads nowhere: %s", (link) => {
    expect(readLink(link)).toBeNull();
  });

  it("reads what is written", () => {
    expect(readLink(linkTo(PATH, "m 1"))).toEqual({ to: "/session", search: { path: PATH, entry: "m 1" } });
  });
});

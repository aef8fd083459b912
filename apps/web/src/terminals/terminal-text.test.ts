import { describe, expect, it } from "vitest";
import { isOwnKey, keySequence, withControl } from "./special-keys.ts";
import { linkAddress } from "./terminal-link.ts";
import { tabTitle } from "./terminal-title.ts";

describe("linkAddress", () => {
  it.each([
    ["https://example.com/a?b#c", "https://example.com/a?b#c"],
    ["HTTP://EXAMPLE.com", "http://example.com/"],
    ["javascript:alert(1)", null],
    ["data:text/html,<script>", null],
    ["file:///etc/passwd", null],
    ["vscode://open", null],
    ["not an address", null],
    [`https://example.com/${"x".repeat(3_000)}`, null],
  ])("reads %j", (text, address) => {
    expect(linkAddress(text)).toBe(address);
  });
});

describe("tabTitle", () => {
  it("is one bounded line of what can be seen", () => {
    expect(tabTitle("vim\nREADME", "/home/me/project")).toBe("vim README");
    expect(tabTitle("x".repeat(10_000), "/").length).toBeLessThanOrEqual(81);
  });

  it("is the folder where the program says nothing", () => {
    expect(tabTitle(" ", "/home/me/project")).toBe("project");
  });
});

describe("keys", () => {
  it.each([
    ["c", "\u0003"],
    ["C", "\u0003"],
    ["[", "\u001b"],
    [" ", "\0"],
    ["?", "\u007f"],
    ["1", "1"],
    ["pasted", "pasted"],
  ])("with Ctrl make %j to %j", (data, sent) => {
    expect(withControl(data)).toBe(sent);
  });

  it("are those that the program asks for", () => {
    expect([keySequence("up", false), keySequence("up", true)]).toEqual(["\u001b[A", "\u001bOA"]);
    expect([keySequence("escape", true), keySequence("tab", false)]).toEqual(["\u001b", "\t"]);
  });

  it.each([
    [{ ctrlKey: true, shiftKey: true, altKey: false, code: "KeyC" }, true],
    [{ ctrlKey: true, shiftKey: false, altKey: false, code: "KeyC" }, false],
    [{ ctrlKey: true, shiftKey: false, altKey: false, code: "KeyK" }, false],
    [{ ctrlKey: false, shiftKey: true, altKey: false, code: "ArrowUp" }, false],
  ])("%j are the page's: %s", (event, isOwn) => {
    expect(isOwnKey(event as KeyboardEvent)).toBe(isOwn);
  });
});

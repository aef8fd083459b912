import { describe, expect, it } from "vitest";
import { browserCommand } from "./browser.ts";

const URL = "http://127.0.0.1:52131";

describe("browserCommand", () => {
  it.each<[NodeJS.Platform, string[]]>([
    ["linux", ["xdg-open", URL]],
    ["darwin", ["open", URL]],
    ["win32", ["rundll32", "url.dll,FileProtocolHandler", URL]],
  ])("knows the opener of %s", (platform, command) => {
    expect(browserCommand(platform, URL)).toEqual(command);
  });
});

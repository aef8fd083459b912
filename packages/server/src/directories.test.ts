import { join, resolve } from "node:path";
import envPaths from "env-paths";
import { describe, expect, it } from "vitest";
import { agentDirectories, configDirectory, dataDirectory, type Platform } from "./directories.ts";

const HOME = resolve("/home/ada");

function on(platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}): Platform {
  return { platform, env, home: HOME };
}

describe("configDirectory", () => {
  it.each<[string, Platform, string]>([
    ["Linux", on("linux"), join(HOME, ".config")],
    ["Linux with XDG_CONFIG_HOME", on("linux", { XDG_CONFIG_HOME: "/etc/ada" }), "/etc/ada"],
    ["Linux with a relative XDG_CONFIG_HOME", on("linux", { XDG_CONFIG_HOME: "etc" }), join(HOME, ".config")],
    ["Linux with an empty XDG_CONFIG_HOME", on("linux", { XDG_CONFIG_HOME: "" }), join(HOME, ".config")],
    ["FreeBSD", on("freebsd"), join(HOME, ".config")],
    ["macOS", on("darwin", { XDG_CONFIG_HOME: "/etc/ada" }), join(HOME, "Library", "Application Support")],
    ["Windows", on("win32", { APPDATA: "C:\\Roaming" }), "C:\\Roaming"],
    ["Windows without APPDATA", on("win32"), join(HOME, "AppData", "Roaming")],
  ])("follows the platform: %s", (_name, platform, expected) => {
    expect(configDirectory({}, platform)).toBe(expected);
  });

  it("follows the setting first", () => {
    const platform = on("linux", { XDG_CONFIG_HOME: "/etc/ada" });
    expect(configDirectory({ "config-dir": { value: "here", source: "--config-dir" } }, platform)).toBe(
      resolve("here"),
    );
  });
});

describe("dataDirectory", () => {
  it("follows the platform", () => {
    expect(dataDirectory({}, on(process.platform))).toBe(envPaths("session-manager", { suffix: "" }).data);
  });

  it("follows the setting first", () => {
    expect(dataDirectory({ "data-dir": { value: "~/data", source: "--data-dir" } }, on("linux"))).toBe(
      join(HOME, "data"),
    );
  });
});

describe("agentDirectories", () => {
  const variable = { PI_CODING_AGENT_DIR: resolve("/srv/pi/custom") };

  it.each<[string, string | null, NodeJS.ProcessEnv, string, string]>([
    ["the home directory", null, {}, join(HOME, ".pi"), join(HOME, ".pi", "agent")],
    ["PI_CODING_AGENT_DIR", null, variable, resolve("/srv/pi"), resolve("/srv/pi/custom")],
    ["PI_CODING_AGENT_DIR with ~", null, { PI_CODING_AGENT_DIR: "~/p/a" }, join(HOME, "p"), join(HOME, "p", "a")],
    ["an agent home, whatever PI_CODING_AGENT_DIR", resolve("/x"), variable, resolve("/x"), resolve("/x/agent")],
  ])("follows %s", (_name, agentHome, env, expectedHome, expectedDir) => {
    expect(agentDirectories(agentHome, on("linux", env))).toEqual({ agentHome: expectedHome, agentDir: expectedDir });
  });
});

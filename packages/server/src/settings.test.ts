import { describe, expect, it } from "vitest";
import { environmentName, readSettings, readSwitch, SETTING_NAMES } from "./settings.ts";

describe("readSettings", () => {
  it.each(SETTING_NAMES.map((name) => [name, environmentName(name)] as const))(
    "reads --%s and %s",
    (name, variable) => {
      expect(readSettings({ [name]: "flag" }, { [variable]: "env" })).toEqual({
        [name]: { value: "flag", source: `--${name}` },
      });
      expect(readSettings({}, { [variable]: "env" })).toEqual({ [name]: { value: "env", source: variable } });
      expect(readSettings({}, {})).toEqual({});
    },
  );

  it("names the variables as documented", () => {
    expect(SETTING_NAMES.map(environmentName)).toEqual([
      "SESSION_MANAGER_PORT",
      "SESSION_MANAGER_BIND",
      "SESSION_MANAGER_CONFIG_DIR",
      "SESSION_MANAGER_DATA_DIR",
      "SESSION_MANAGER_AGENT_HOME",
      "SESSION_MANAGER_OPEN",
      "SESSION_MANAGER_LOG_LEVEL",
    ]);
  });
});

describe("readSwitch", () => {
  it.each([
    [undefined, false],
    ["true", true],
    ["1", true],
    ["YES", true],
    ["false", false],
    ["0", false],
    ["no", false],
  ])("reads %s as %s", (value, expected) => {
    expect(readSwitch(value === undefined ? undefined : { value, source: "--open" })).toBe(expected);
  });

  it("refuses anything else", () => {
    expect(() => readSwitch({ value: "maybe", source: "SESSION_MANAGER_OPEN" })).toThrow(
      'SESSION_MANAGER_OPEN must be true or false, not "maybe".',
    );
  });
});

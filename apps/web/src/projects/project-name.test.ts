import fc from "fast-check";
import { expect, it } from "vitest";
import { projectName, projectNames } from "./project-name.ts";

it.each([
  ["/home/me/app", "app"],
  ["/home/me/app/", "app"],
  ["C:\\work\\app", "app"],
  ["app", "app"],
  ["/", "/"],
  ["", ""],
])("calls %j %j", (cwd, name) => expect(projectName(cwd)).toBe(name));

it.each([
  [
    ["/home/me/app", "/home/me/site"],
    ["app", "site"],
  ],
  [
    ["/home/me/src/app", "/home/me/old/app", "/site"],
    ["src/app", "old/app", "site"],
  ],
  [
    ["/src/1/x/app", "/src/2/x/app", "/src/2/y/app"],
    ["1/x/app", "2/x/app", "y/app"],
  ],
  [
    ["/app", "/src/app"],
    ["/app", "/src/app"],
  ],
  [
    ["C:\\old\\app", "C:\\new\\app"],
    ["old\\app", "new\\app"],
  ],
  [
    ["/src/app", "/src/app/"],
    ["/src/app", "/src/app/"],
  ],
])("tells %j apart", (cwds, names) => expect([...projectNames(cwds).values()].sort()).toEqual([...names].sort()));

it("never calls two the same", () => {
  const part = fc.constantFrom("a", "b", "");
  const cwd = fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join("/")}`);
  fc.assert(
    fc.property(fc.uniqueArray(cwd), (cwds) => {
      expect(new Set(projectNames(cwds).values()).size).toBe(cwds.length);
    }),
  );
});

import { expect, it } from "vitest";
import { connectionsWithin } from "./open-files.ts";

const limits = (openFiles: string) =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax processes             63432                63432                processes\nMax open files            ${openFiles}                  256                  files\n`;

it.each([
  ["few open files", limits("256"), 128],
  ["many", limits("16384"), 1024],
  ["no limit", limits("unlimited"), 1024],
  ["hardly any", limits("1"), 1],
  ["a system that does not say", "", 1024],
])("connections are at most half of the open files: %s", (_, text, expected) => {
  expect(connectionsWithin(1024, text)).toBe(expected);
});

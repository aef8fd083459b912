import { forwardRef } from "react";
import { expect, it } from "vitest";
import { visibleProps } from "./visible-props.ts";

const OwnComponent = () => null;
const LibraryComponent = forwardRef(() => null);

it.each([
  ["a text", "p", { children: "a\u202eb" }, { children: "a⟦U+202E⟧b" }],
  [
    "texts among elements",
    "p",
    { children: ["\u200b", 1, null, ["\u2066"]] },
    { children: ["⟦U+200B⟧", 1, null, ["⟦U+2066⟧"]] },
  ],
  ["what is shown when it is pointed at", "a", { title: "\ufeff" }, { title: "⟦U+FEFF⟧" }],
  ["what is read out", "button", { "aria-label": "\u200b" }, { "aria-label": "⟦U+200B⟧" }],
  ["what a library puts into its elements", LibraryComponent, { title: "\u200b" }, { title: "⟦U+200B⟧" }],
  ["a text in a component", OwnComponent, { children: "\u200b" }, { children: "⟦U+200B⟧" }],
])("shows %s", (_, type, props, shown) => {
  expect(visibleProps(type, props)).toEqual(shown);
});

it.each([
  ["the value of a field", "input", { value: "\u202e", defaultValue: "\u202e" }],
  ["what a component edits", OwnComponent, { title: "\u202e" }],
  ["an address", "a", { href: "\u202e" }],
  ["a text without such", "p", { title: "ü 👩‍👧", children: ["שלום", "\t\n"] }],
])("leaves %s alone", (_, type, props) => {
  expect(visibleProps(type, props)).toBe(props);
});

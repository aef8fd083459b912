import { describe, expect, it } from "vitest";
import { checkedText } from "./fragment-check.fixture.ts";
import { imageHtml, sizeText } from "./images.ts";

describe("imageHtml", () => {
  it("shows pixels in the page", () => {
    const html = imageHtml("image/png", "iVBORw0KGgo=", 'A "chart"');
    checkedText(html);
    expect(html).toContain('src="data:image/png;base64,iVBORw0KGgo="');
    expect(html).toContain('alt="A &quot;chart&quot;"');
  });

  it.each([
    ["image/svg+xml", "PHN2Zz4=", "of a type"],
    ["text/html", "PHN2Zz4=", "of a type"],
    ['image/png" onerror="x', "AAAA", "of a type"],
    ["image/png\nx", "AAAA", "of a type"],
    ["", "AAAA", "unknown type"],
    ["image/png", '"><script>', "damaged"],
    ["image/png", "AAAA\nAAAA", "damaged"],
    ["image/png", "", "damaged"],
    ["image/png", "A".repeat(12 * 1024 * 1024), "larger than 8.0 MB"],
  ])("shows %j as a note", (type, data, reason) => {
    expect(checkedText(imageHtml(type, data))).toContain(reason);
  });
});

it.each([
  [0, "0 B"],
  [1536, "2 KB"],
  [5.25 * 1024 * 1024, "5.3 MB"],
])("%d bytes are %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

import { expect, it } from "vitest";
import { placeText } from "./json-pointer.ts";

it.each([
  ["/server/http_port", "server › http_port"],
  ["/model_config/providers/a~1b~0c", "model_config › providers › a/b~c"],
  ["/tags/0", "tags › 0"],
  ["", ""],
])("writes the pointer %j as %j", (pointer, text) => {
  expect(placeText(pointer)).toBe(text);
});

import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, it } from "vitest";

/** What the page needs of the format of live agents, whose records it gets as they are. */
const OF_LIVE_AGENTS = ["json-fields.ts", "pi/fields.ts", "pi/items.ts"];

it("brings no format of session files into the browser, but what records of live agents need", async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const built = await build({ root, logLevel: "silent", build: { write: false, minify: false } });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ("output" in one ? one.output : []));
  const modules = outputs.flatMap((output) => (output.type === "chunk" ? Object.entries(output.modules) : []));
  const formats = modules.flatMap(([path, { renderedLength }]) => {
    const [, file] = path.split("/packages/core/src/format/");
    return file === undefined || renderedLength === 0 ? [] : [file];
  });
  expect(modules.length).toBeGreaterThan(100);
  expect(formats.sort()).toEqual(OF_LIVE_AGENTS);
});

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("brings no code of the service into a browser", async () => {
  const result = await build({
    entryPoints: [fileURLToPath(new URL("index.ts", import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    conditions: ["@sm/source"],
  });
  const inputs = Object.keys(result.metafile.inputs).map((path) =>
    path.replace(/^.*(packages\/router\/src|node_modules)\//, ""),
  );
  expect(inputs.filter((path) => !path.startsWith("client/"))).toEqual([
    "eventsource-parser/dist/index.js",
    "events/event.ts",
  ]);
  expect(result.outputFiles[0]?.contents.length).toBeLessThan(13_000);
});

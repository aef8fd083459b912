import type { EntryBody } from "../corpus/entry.ts";
import { answered, calls, returned, said } from "./showcase.ts";

const READ = ["src/uploads/links.ts", "src/images/proxy.ts", "src/pages/album.ts", "src/mail/invitation.ts"];

const PROXY_DIFF = ` 11 export function thumbnailAddress(image: Image, width: number): string {
-12   return base + "/t/" + image.id + "?w=" + width;
+12   return addressOf(base, ["t", image.id], { w: width });
 13 }`;

const ALBUM_DIFF = ` 29 function shareLink(album: Album): string {
-30   const query = "?album=" + album.id + "&by=" + album.owner.name;
-31   return base + "/share" + query;
+30   return addressOf(base, ["share"], { album: album.id, by: album.owner.name });
 32 }`;

const ADDRESS = `/** Makes an address of its parts; what stands in them is escaped. */
export function addressOf(base: string, path: readonly string[], query: Record<string, string | number> = {}): string {
  const url = new URL(path.map(encodeURIComponent).join("/"), base);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url.href;
}
`;

const FAILED = `\u001b[1m\u001b[46m RUN \u001b[49m\u001b[22m v4.1.12

 \u001b[32m✓\u001b[39m src/images/proxy.test.ts \u001b[2m(9 tests)\u001b[22m
 \u001b[31m✗\u001b[39m src/pages/album.test.ts \u001b[2m(4 tests | \u001b[22m\u001b[31m1 failed\u001b[39m\u001b[2m)\u001b[22m
   \u001b[31m× shares an album of "Ada & Grace"\u001b[39m
     expected "…&by=Ada+%26+Grace" to be "…&by=Ada & Grace"`;

const CONCLUSION = `Three places built addresses by hand, and **one of them was a defect**: an owner called \`Ada & Grace\` ended the
query at the ampersand. All three use \`addressOf\` now.

The test expected the broken address; I have corrected it.`;

/** A session that looks around a lot before it changes something: read, searched, failed, mended. */
export function tellSurvey(append: (body: EntryBody) => string, now: () => number): void {
  append({ type: "model_change", provider: "anthropic", modelId: "claude-sonnet-4-5" });
  append(said("Find every place that builds an address by hand, and use one function for all of them.", now()));
  append(
    answered(
      [
        { type: "text", text: "I look for addresses that are put together from strings." },
        calls("s1", "grep", { pattern: "\\+ base|base \\+", path: "src" }),
        calls("s2", "grep", { pattern: '"\\?[a-z]+="', path: "src" }),
        ...READ.map((path, place) => calls(`r${place}`, "read", { path })),
      ],
      now(),
    ),
  );
  append(returned("s1", "grep", 'src/images/proxy.ts:12: base + "/t/"\nsrc/pages/album.ts:31: base + "/share"', now()));
  append(returned("s2", "grep", 'src/pages/album.ts:30: "?album="', now()));
  READ.forEach((_, place) => {
    append(returned(`r${place}`, "read", "export const base = settings.publicAddress;\n", now()));
  });
  append(
    answered(
      [
        { type: "text", text: "There are three. I write the function first, then move them one by one." },
        calls("w", "write", { path: "src/addresses.ts", content: ADDRESS }),
        calls("e1", "edit", {
          path: "src/images/proxy.ts",
          edits: [
            {
              oldText: '  return base + "/t/" + image.id + "?w=" + width;',
              newText: '  return addressOf(base, ["t", image.id], { w: width });',
            },
          ],
        }),
        calls("e2", "edit", {
          path: "src/pages/album.ts",
          edits: [
            {
              oldText:
                '  const query = "?album=" + album.id + "&by=" + album.owner.name;\n  return base + "/share" + query;',
              newText: '  return addressOf(base, ["share"], { album: album.id, by: album.owner.name });',
            },
          ],
        }),
        calls("t1", "bash", { command: "npx vitest run src/images src/pages" }),
      ],
      now(),
      18_000,
    ),
  );
  append(returned("w", "write", "Successfully wrote 402 bytes to src/addresses.ts", now()));
  append(returned("e1", "edit", "Successfully replaced 1 block(s) in src/images/proxy.ts.", now(), PROXY_DIFF));
  append(returned("e2", "edit", "Successfully replaced 1 block(s) in src/pages/album.ts.", now(), ALBUM_DIFF));
  append(failed("t1", "bash", `${FAILED}\n\nCommand exited with code 1`, now()));
  append(
    answered(
      [
        calls("e3", "edit", {
          path: "src/pages/album.test.ts",
          edits: [{ oldText: '"…&by=Ada & Grace"', newText: '"…&by=Ada+%26+Grace"' }],
        }),
        calls("t2", "bash", { command: "npx vitest run src/pages" }),
      ],
      now(),
      22_000,
    ),
  );
  append(
    returned(
      ...(["e3", "edit", "Successfully replaced 1 block(s) in src/pages/album.test.ts.", now()] as const),
      ` 40   const link = shareLink(album);\n-41   expect(link).toContain("&by=Ada & Grace");\n+41   expect(link).toContain("&by=Ada+%26+Grace");\n 42 });`,
    ),
  );
  append(returned("t2", "bash", "\u001b[32m✓\u001b[39m src/pages/album.test.ts \u001b[2m(4 tests)\u001b[22m", now()));
  append(answered([{ type: "text", text: CONCLUSION }], now(), 26_000));
  append({ type: "session_info", name: "Build addresses in one place" });
}

function failed(...[id, tool, text, time]: [id: string, tool: string, text: string, time: number]): EntryBody {
  const body = returned(id, tool, text, time);
  if (body.type !== "message" || body.message.role !== "toolResult") throw new Error("It is no result.");
  return { ...body, message: { ...body.message, isError: true } };
}

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../json.ts";
import { openTranscript } from "../session/open-transcript.ts";
import type { Transcript, TranscriptItem } from "../session/transcript.ts";
import { exportFileName } from "./file-name.ts";
import { exportHtml } from "./html.ts";
import { exportJson } from "./json-export.ts";
import { exportMarkdown } from "./markdown.ts";
import { alphanumeric, base64Url, hex, pem, tokenSamples } from "./redact/samples.fixture.ts";
import { previewRedactions, redactTranscript } from "./redact.ts";
import { called, joined, NESTED, noted, ran, returned, said, summarised, transcriptOf } from "./transcript.fixture.ts";

const EVERYTHING = { include_thinking: true, include_tools: true };
const FIXTURES = join(import.meta.dirname, "../../../../../shared/fixtures");

async function itemsOf(transcript: Transcript): Promise<TranscriptItem[]> {
  const items: TranscriptItem[] = [];
  for await (const item of transcript.items) items.push(item);
  return items;
}

/** The texts of messages after a redaction. */
async function redacted(...texts: string[]): Promise<string[]> {
  const items = await itemsOf(redactTranscript(transcriptOf(texts.map((text) => said("user", [text])))));
  return items
    .flatMap((item) => (item.kind === "message" ? item.blocks : []))
    .map((block) => {
      return block.kind === "text" ? block.text : "";
    });
}

/** A transcript with another secret in each of its texts, and the secrets. */
function riddled(make = (place: number) => `ghp_${alphanumeric(36, place + 10)}`): {
  transcript: Transcript;
  secrets: string[];
} {
  const secrets: string[] = [];
  const secret = () => {
    const made = make(secrets.length);
    secrets.push(made);
    return made;
  };
  const raw = { type: "custom", content: [{ deep: { [secret()]: `a ${secret()} b` } }] };
  const transcript = transcriptOf(
    [
      said("user", [secret(), { kind: "raw", value: raw }]),
      said(
        "assistant",
        [
          { kind: "thinking", text: secret(), redacted: false },
          called("call-1", "write", { path: `/tmp/${secret()}`, content: secret(), [secret()]: 1 }),
          called("call-2", secret(), {}),
        ],
        {
          error_message: secret(),
          stop_reason: secret(),
          provider: secret(),
          model: secret(),
          response_model: secret(),
          thinking_level: secret(),
        },
      ),
      returned("call-1", secret(), {
        tool_name: secret(),
        diff: `+${secret()}`,
        details: { list: [secret(), 1, null] },
      }),
      returned("call-2", "", {
        nested_calls: {
          calls: NESTED.calls.map((call) => ({
            ...call,
            name: secret(),
            arguments: { [secret()]: secret() },
            error: secret(),
          })),
          complete: true,
        },
        context_edit: { entry_id: "e", replacement: [{ kind: "text", text: secret() }] },
      }),
      said("system", [
        { kind: "section", name: secret(), text: secret() },
        { kind: "tools", added: [{ name: secret(), description: secret() }], removed: [secret()] },
      ]),
      said("user", ["seen otherwise"], {
        context_edit: { entry_id: "e", replacement: [{ kind: "text", text: secret() }] },
      }),
      ran(`echo ${secret()}`, secret(), { full_output_path: `/tmp/${secret()}`, truncated: true }),
      summarised("compaction", secret(), { checkpoint: [{ kind: "section", name: "rules", text: secret() }] }),
      { ...noted(secret()), value: { data: { token: secret() } } },
    ],
    {
      name: secret(),
      title: secret(),
      cwd: `/srv/${secret()}`,
      labels: { "00000001": secret() },
      models: [secret()],
    },
  );
  return { transcript, secrets };
}

describe("redactTranscript", () => {
  it.each([
    ["JSON", exportJson],
    ["Markdown", exportMarkdown],
    ["HTML", (transcript: Transcript) => exportHtml(transcript, { ...EVERYTHING, theme: "system" })],
  ])("leaves no secret in an export as %s, and harms no placeholder", async (_, write) => {
    const { transcript, secrets } = riddled();
    const text = await joined(write(redactTranscript(transcript), EVERYTHING));
    expect(secrets.filter((secret) => text.includes(secret.slice(4)))).toEqual([]);
    expect(text.match(/\[redacted:github-token-\d+\\?\]/g)?.length).toBeGreaterThan(10);
  });

  it("leaves no word of the user's own in any export, and no other", async () => {
    const letter = fc.constantFrom(..."jkqxzéЖ漢한7");
    const word = fc.string({ unit: letter, minLength: 5, maxLength: 8 });
    const phrase = fc.tuple(word, word).map((words) => words.join(" "));
    const spelling = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.normalize("NFD"),
      (text) => text.replaceAll(" ", " \n "),
    );
    const around = fc.constantFrom<[before: string, after: string]>(
      ["", ""],
      ["the ", " of"],
      ["/srv/", "/x.ts"],
      ["\\n", "."],
      ["**", "**"],
      ['{"a":"', '"}'],
      ["me@example.com ", "_2"],
    );
    const places = fc.array(fc.tuple(fc.nat(), spelling, around), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(word, phrase), { minLength: 1, maxLength: 3 }),
        places,
        async (words, chosen) => {
          const { transcript, secrets } = riddled((place) => {
            const [number, spell, [before, after]] = chosen[place % chosen.length] ?? [0, String, ["", ""]];
            return `${before}${spell(words[number % words.length] ?? "")}${after}`;
          });
          const own = transcript.labels["00000001"] ?? "";
          const copy = () => redactTranscript({ ...transcript, session_id: own }, EVERYTHING, words);
          const exports = [
            await joined(exportHtml(copy(), { ...EVERYTHING, theme: "system" })),
            await joined(exportMarkdown(copy(), EVERYTHING)),
            await joined(exportJson(copy(), EVERYTHING)),
            exportFileName(copy().title, "html"),
            JSON.stringify(await previewRedactions(transcript, EVERYTHING, words)),
          ].map((text) =>
            text
              .normalize("NFC")
              .toLowerCase()
              .replace(/\s+|\\n/g, " "),
          );
          const left = words.filter((one) => exports.some((text) => text.includes(one.normalize("NFC").toLowerCase())));
          expect(left).toEqual([]);
          const { total } = await previewRedactions(transcript, EVERYTHING, words);
          expect(total).toBeGreaterThanOrEqual(secrets.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("makes no links and definitions of placeholders", async () => {
    const text =
      "me@example.com: word\n\nme@example.com(/x) [mail](mailto:me@example.com) `me@example.com`\n\n```\nme@example.com: x\n```";
    const transcript = redactTranscript(transcriptOf([said("assistant", [text])]));
    const html = await joined(exportHtml(transcript, { ...EVERYTHING, theme: "system" }));
    expect(html).toContain("<p>[redacted:email-1]: word</p>\n<p>[redacted:email-1](/x) ");
    expect(await joined(exportMarkdown(transcript, EVERYTHING))).toContain(
      "\\[redacted:email-1]\\: word\n\n\\[redacted:email-1]\\(/x) [mail](mailto:\\[redacted:email-1]) `[redacted:email-1]`\n\n```\n[redacted:email-1]: x\n```",
    );
  });

  it("leaves ids, times and images as they are", async () => {
    const id = `ghp_${alphanumeric(36)}`;
    const item = said("assistant", [{ kind: "image", mime_type: "image/png", data: `${id}=` }], {
      id,
      parent_id: `p-${id}`,
      timestamp: "2026-05-01T12:00:00.000Z",
    });
    const transcript = transcriptOf([item, returned(id, "")], { session_id: id });
    const copy = redactTranscript(transcript);
    expect(await itemsOf(copy)).toEqual(transcript.items);
    expect(copy).toMatchObject({ session_id: id });
    expect(copy.redactions?.()).toEqual([]);
  });

  it("never changes what it is given", async () => {
    const { transcript } = riddled();
    const before = JSON.stringify(transcript);
    await itemsOf(redactTranscript(transcript));
    expect(JSON.stringify(transcript)).toBe(before);
  });

  it("gives the same placeholder to the same value, in all of a transcript", async () => {
    const texts = await redacted(
      "a@example.com b@example.com",
      "b@example.com",
      "/home/carol/x /home/dave/y",
      "/home/dave",
    );
    expect(texts).toEqual([
      "[redacted:email-1] [redacted:email-2]",
      "[redacted:email-2]",
      "/home/[redacted:user-1]/x /home/[redacted:user-2]/y",
      "/home/[redacted:user-2]",
    ]);
  });

  it("knows the secret again that the title is cut in", async () => {
    const token = `ghp_${alphanumeric(36)}`;
    const copy = redactTranscript(
      transcriptOf([said("user", [`take ${token} and ghp_${alphanumeric(36, 2)}`])], {
        title: `take ${token.slice(0, 30)}`,
      }),
    );
    expect(copy.title).toBe("take [redacted:github-token-1]");
    expect(JSON.stringify(await itemsOf(copy))).toContain(
      "take [redacted:github-token-1] and [redacted:github-token-2]",
    );
  });

  it("knows the user of the session's own directory in other paths", async () => {
    const transcript = transcriptOf([said("user", ["/media/alice/disk, alice@laptop:~$ ls, alice in wonderland"])], {
      cwd: "/home/alice/project",
    });
    const copy = redactTranscript(transcript);
    expect(copy.cwd).toBe("/home/[redacted:user-1]/project");
    expect(JSON.stringify(await itemsOf(copy))).toContain(
      "/media/[redacted:user-1]/disk, [redacted:user-1]@laptop:~$ ls, alice in wonderland",
    );
  });

  it("replaces what a key of JSON calls a secret, and keeps the shape of the value", async () => {
    const value: JsonValue = {
      password: "hunter2",
      apiKey: "abcd1234efgh5678",
      auth: { user: "bob", pass: "s3cr3t!" },
      "/home/carol/a": [1, null, true, "me@example.com"],
      token: { count: 5 },
      max_tokens: "12345678a",
      ["__proto__"]: "x",
    };
    const [item] = await itemsOf(redactTranscript(transcriptOf([returned("c", "", { details: value })])));
    expect(JSON.parse(JSON.stringify(item))).toMatchObject({
      details: {
        password: "[redacted:secret-1]",
        apiKey: "[redacted:secret-2]",
        auth: { user: "bob", pass: "[redacted:secret-3]" },
        "/home/[redacted:user-1]/a": [1, null, true, "[redacted:email-1]"],
        token: { count: 5 },
        max_tokens: "12345678a",
      },
    });
  });

  it("bears values that are nested without measure", async () => {
    let details: JsonValue = "me@example.com";
    for (let level = 0; level < 20_000; level++) details = level % 2 === 0 ? [details] : { a: details };
    const transcript = redactTranscript(transcriptOf([returned("c", "", { details })]));
    expect(await joined(exportJson(transcript, EVERYTHING))).not.toContain("me@example.com");
  });

  it("replaces values beyond those that it can remember", async () => {
    const addresses = Array.from({ length: 10_100 }, (_, n) => `me${n}@example.com`);
    const [text] = await redacted([...addresses, addresses[0], addresses[10_050]].join(" "));
    const numbers = text?.split(" ");
    expect(new Set(numbers?.slice(0, 10_100)).size).toBe(10_100);
    expect(numbers?.[10_100]).toBe("[redacted:email-1]");
    expect(numbers?.[10_101]).toBe("[redacted:email-10101]");
  });

  it("covers all of what overlaps", async () => {
    const token = `ghp_${alphanumeric(36)}`;
    expect(
      await redacted(
        `Authorization: Bearer ${token}`,
        `https://me:${token}@github.com/a/b`,
        `{"private_key": ${JSON.stringify(pem(""))}}`,
        `Cookie: a=${token}; b=x@example.com`,
        "password=me@example.com",
      ),
    ).toEqual([
      "Authorization: Bearer [redacted:github-token-1]",
      "https://me:[redacted:github-token-1]@github.com/a/b",
      '{"private_key": "[redacted:private-key-1]"}',
      "Cookie: a=[redacted:github-token-1]; b=[redacted:cookie-1]",
      "password=[redacted:secret-1]",
    ]);
  });

  it("counts what the export shows, each time that it is read", async () => {
    const transcript = transcriptOf(
      [
        said("assistant", ["a@example.com", { kind: "thinking", text: "b@example.com", redacted: false }]),
        ran("mail c@example.com", ""),
      ],
      { runs: [{ parent: -1, count: 2, shown: true }] },
    );
    const copy = redactTranscript(transcript, { include_thinking: false, include_tools: false });
    for (const _ of [1, 2]) {
      expect(await itemsOf(copy)).toHaveLength(2);
      expect(copy.redactions?.()).toEqual([{ type: "email", count: 1 }]);
    }
  });

  it("leaves what was redacted before as it is", async () => {
    const pieces = fc.oneof(
      fc.constantFrom(...tokenSamples.map(([, token]) => token)),
      fc.constantFrom(
        ...["alice@example.com", "/home/alice/", "C:\\Users\\bob\\x", "--home-bob-x--", "/media/alice/", "alice@host"],
        ...["password=", '"token": "', "Authorization: Bearer ", "Cookie: a=b; c=", "postgres://u:p@ss@h/", "://"],
        ...[pem("", 2), "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", hex(40), "[redacted:email-1]"],
        ...[
          "[redacted:",
          "AKIA",
          "\\n",
          "%3D",
          "\u001b[32m",
          " ",
          "\n",
          '"',
          "'",
          "@",
          ":",
          "=",
          "/",
          "-",
          "_",
          "a",
          "9",
        ],
      ),
      fc.string({ maxLength: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(pieces, { maxLength: 12 }),
        fc.constantFrom("", " ", "\n"),
        async (parts, separator) => {
          const [once = ""] = await redacted(parts.join(separator));
          expect(await redacted(once)).toEqual([once]);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("previewRedactions", () => {
  it("counts as the export does, and shows places without their secrets", async () => {
    const { transcript, secrets } = riddled();
    const preview = await previewRedactions(transcript, EVERYTHING);
    const copy = redactTranscript(transcript);
    await itemsOf(copy);
    expect(preview.findings.map(({ type, count }) => ({ type, count }))).toEqual(copy.redactions?.());
    expect(preview.total).toBe(secrets.length);
    expect(secrets.filter((secret) => JSON.stringify(preview).includes(secret.slice(4)))).toEqual([]);
  });

  it("gives three examples of each kind at most, with the words around them", async () => {
    const long = "word ".repeat(100);
    const transcript = transcriptOf(
      [1, 2, 3, 4].map((n) => said("user", [`${long}\nmail  me${n}@example.com, ${long}`], { id: `e${n}` })),
    );
    const { findings } = await previewRedactions(transcript, EVERYTHING);
    const words = "word ".repeat(11).trim();
    expect(findings).toEqual([
      {
        type: "email",
        count: 4,
        examples: [1, 2, 3].map((n) => ({
          entry_id: `e${n}`,
          excerpt: `${words.slice(0, -5)} mail [redacted:email-${n}], ${words}`,
        })),
      },
    ]);
  });

  it("leaves out what the export leaves out", async () => {
    const { transcript } = riddled();
    const all = await previewRedactions(transcript, EVERYTHING);
    const some = await previewRedactions(transcript, { include_thinking: false, include_tools: false });
    expect(some.total).toBeGreaterThan(0);
    expect(some.total).toBeLessThan(all.total - 8);
  });
});

describe.skipIf(!existsSync(FIXTURES))("in real sessions", () => {
  it("finds home directories, and takes nothing else for a secret", async () => {
    const found: Record<string, unknown> = {};
    for (const name of await readdir(join(FIXTURES, "pi"))) {
      const transcript = await openTranscript(await readFile(join(FIXTURES, "pi", name)));
      const { findings } = await previewRedactions(transcript, EVERYTHING);
      for (const { type, examples } of findings) if (type !== "user") found[`${name}: ${type}`] = examples;
    }
    expect(found).toEqual({});
  });

  it("finds a secret in each place where one is put into them", async () => {
    const token = `sm_${base64Url(43)}`;
    const text = await readFile(join(FIXTURES, "pi", "v3-rich-agent0.87.1.jsonl"), "utf8");
    const poisoned = text.replaceAll(/"(text|thinking|command|output|diff|errorMessage)":"/g, `$&${token} `);
    const places = poisoned.split(token).length - 1;
    const { findings } = await previewRedactions(await openTranscript(new TextEncoder().encode(poisoned)), EVERYTHING);
    expect(places).toBeGreaterThan(20);
    expect(findings.find(({ type }) => type === "session-manager-token")?.count).toBeGreaterThanOrEqual(places);
  });
});

import { describe, expect, it } from "vitest";
import { en } from "./en.ts";
import type { Message } from "./message.ts";
import { zh } from "./zh.ts";

// docs/wording.md has the terms.

const texts = (catalogue: Readonly<Record<string, Message>>) =>
  Object.entries(catalogue)
    // What is typed into the palette has its own words.
    .filter(([key]) => !key.startsWith("palette.words_"))
    .flatMap(([key, message]) =>
      (typeof message === "string" ? [message] : [message.one, message.other]).map((text) => ({ key, text })),
    );

/** The texts that a pattern finds, but for those of these keys. */
const found = (catalogue: typeof en | typeof zh, pattern: RegExp, except: readonly string[] = []) =>
  texts(catalogue).filter(({ key, text }) => pattern.test(text) && !except.includes(key));

describe("English texts", () => {
  it.each([
    ["American spelling", /colour|favourite|licence|behaviour|[a-z]{3}(?:nise|lise|yse)/i],
    ["typographic quotes and ellipses", /"|\.\.\./],
    ["one word for what is turned on and off", /switch(?:ed)? (?:on|off)/i],
    ["one word for what is restored", /bring|brought|take[ns]? .*back/i],
  ])("have %s", (_rule, pattern) => {
    expect(found(en, pattern)).toEqual([]);
  });

  it("are in sentence case", () => {
    const names = /Session Manager|Claude Code|Home Screen|iPhone|iPad|Markdown|WebP|WebSocket/g;
    const keys = /Shift|Control|Enter|Space|Up|Settings/g;
    const isInTitleCase = ({ text }: { text: string }) =>
      /[\w,] \(?[A-Z][a-z]/.test(text.replace(names, "x").replace(keys, "x"));
    expect(texts(en).filter(isInTitleCase)).toEqual([]);
  });
});

describe("Chinese texts", () => {
  it.each<[string, RegExp, (readonly string[])?]>([
    [
      "智能体 for agents",
      /(?<!反向)代理/,
      ["settings.field_trusted_proxies", "settings.field_trusted_proxies_hint", "share.loopback_text"],
    ],
    ["提示词 for prompts", /提示(?!词)/, ["budget.edit_text"]],
    ["对话记录 for transcripts", /会话记录/],
    ["你 for the reader", /您/],
    [
      "full-width punctuation",
      /\p{Script=Han}\s?[,;:!?()]|[,;:!?(]\s?\p{Script=Han}|"|\.\.\./u,
      ["transcript.note_hint"],
    ],
    ["spaces around Latin letters and digits", /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u],
    ["no spaces around full-width punctuation", /[，。：；！？、（）] | [，。：；！？、（）]/],
  ])("have %s", (_rule, pattern, except) => {
    expect(found(zh, pattern, except)).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { en } from "./en.ts";
import { formatMessage, type Message } from "./message.ts";
import { zh } from "./zh.ts";

describe("formatMessage", () => {
  it.each<[Message, Record<string, string | number>, string, string]>([
    ["Plain", {}, "en", "Plain"],
    ["{done} of {total}", { done: 1200, total: 10000 }, "en", "1,200 of 10,000"],
    ["Named {name}", { name: "{count}" }, "en", "Named {count}"],
    ["Missing {name}", {}, "en", "Missing {name}"],
    ["{constructor}", {}, "en", "{constructor}"],
    [{ one: "{count} session", other: "{count} sessions" }, { count: 1 }, "en", "1 session"],
    [{ one: "{count} session", other: "{count} sessions" }, { count: 0 }, "en", "0 sessions"],
    [{ one: "unused", other: "{count} 个会话" }, { count: 1 }, "zh-CN", "1 个会话"],
  ])("%j with %j in %s", (message, values, locale, expected) => {
    expect(formatMessage(message, values, locale)).toBe(expected);
  });
});

describe("the catalogues", () => {
  it("have another word in Chinese for what models count than for what opens the service", () => {
    const accesses = Object.entries(zh).filter(([, message]) => JSON.stringify(message).includes("令牌"));
    const counts = Object.entries(zh).filter(([, message]) => JSON.stringify(message).includes("词元"));
    expect(
      accesses
        .map(([key]) => key)
        .filter((key) => !/^(connection\.|hub\.|settings\.|share\.|error\.|palette\.words_)/.test(key)),
    ).toEqual([]);
    expect(counts.length).toBeGreaterThan(0);
    expect(counts.map(([key]) => key).filter((key) => key.startsWith("connection."))).toEqual([]);
  });

  const namesIn = (message: Message) => {
    const texts = typeof message === "string" ? [message] : [message.one, message.other];
    return [...new Set(texts.flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();
  };

  it.each(Object.keys(en) as (keyof typeof en)[])("%s takes the same values in every language", (key) => {
    const known = [...namesIn(en[key]), "{count}"];
    expect(known).toEqual(expect.arrayContaining(namesIn(zh[key])));
    expect(namesIn(zh[key]).length).toBeGreaterThanOrEqual(
      namesIn(en[key]).filter((name) => name !== "{count}").length,
    );
  });
});

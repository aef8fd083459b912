import { describe, expect, it } from "vitest";
import { describeNotice, mustShowAll, type Notice, readNotice } from "./notice.ts";

const asks: Notice = { news: "asks", session_id: "s 1", title: "Fix the tides", text: "Delete the table?" };

describe("readNotice", () => {
  it("reads what the service sends", () => {
    expect(readNotice(JSON.stringify(asks))).toEqual(asks);
    expect(readNotice(JSON.stringify({ ...asks, more: 1, session_id: null, text: null }))).toEqual({
      ...asks,
      session_id: null,
      text: null,
    });
  });

  it.each([
    "",
    "null",
    "[]",
    "7",
    "{",
    '{"news":"explodes","title":"a"}',
    '{"news":"asks"}',
    '{"news":"asks","title":7}',
  ])("takes nothing from %j", (text) => {
    expect(readNotice(text)).toBeNull();
  });
});

describe("describeNotice", () => {
  it("has the question and leads to the session", () => {
    expect(describeNotice(asks, "en")).toEqual({
      title: "Fix the tides",
      body: "Delete the table?",
      tag: "s 1",
      url: "/live?session=s%201",
      stays: true,
    });
  });

  it("says what happened in the language of the page", () => {
    const finished: Notice = { ...asks, news: "finished", text: null };
    expect(describeNotice(finished, "en")).toMatchObject({ body: "The agent is done.", stays: false });
    expect(describeNotice(finished, "zh").body).toBe("智能体已完成。");
    expect(describeNotice({ ...finished, news: "added", session_id: null }, "en").url).toBe("/settings/appearance");
  });

  it("shows what is invisible, and nothing that turns the direction of text", () => {
    const hostile = describeNotice({ ...asks, title: "a\u202Eb", text: "c\u200Bd" }, "en");
    expect(`${hostile.title}${hostile.body}`).not.toMatch(/[\u202E\u200B]/);
  });
});

it.each([
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1",
    true,
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15", true],
  ["Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile Safari/537.36", false],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", false],
])("%s must show all: %s", (userAgent, isSo) => {
  expect(mustShowAll(userAgent)).toBe(isSo);
});

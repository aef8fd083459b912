import { expect, it, vi } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";
import { firstQuestions } from "./first-questions.ts";

const SESSION = sessionRecord("one");
const AT = `/session?path=${encodeURIComponent(SESSION.path)}`;

it.each([
  ["/", ["list_sessions"]],
  ["/?q=words&sort=title&project=%2Fhome", ["list_sessions"]],
  ["/search?q=words", ["list_sessions"]],
  ["/session", ["list_sessions"]],
  [AT, ["read_transcript", "list_sessions"]],
  [`${AT}&entry=00000002&mark=word&panel=changes`, ["read_transcript", "list_sessions"]],
  [`${AT}&leaf=00000003`, ["read_transcript", "list_sessions"]],
  [`${AT}&leaf=00000003&entry=00000002`, ["read_transcript", "list_sessions"]],
] as const)("are those that the page has first at %s", async (address, commands) => {
  const questions = firstQuestions(new URL(address, location.href) as never, false);
  expect(questions.map(({ command }) => command)).toEqual(commands);
  const page = await openPage(address, { sessions: [SESSION] });
  for (const { command, payload } of questions) {
    // As text, in which they are compared.
    const isAsked = () => expect(JSON.stringify(page.asked(command as never)[0])).toBe(JSON.stringify(payload));
    await vi.waitFor(isAsked, 10_000);
  }
});

it("leave out a session that is read where one was", () => {
  const [question, ...others] = firstQuestions(new URL(AT, location.href) as never, true);
  expect([question?.command, others]).toEqual(["list_sessions", []]);
});

import { describe, expect, it } from "vitest";
import { startFailure, startTimeout } from "./start-failure.ts";

const ALL = "0.74.2, 0.87.1, 1.5.2";
const SINCE_087 = "0.87.1, 1.5.2";

/** What releases of the agent have written to standard error, with other paths. */
const REAL: [what: string, releases: string, stderr: string, field: string | null, message: string][] = [
  [
    "a session whose folder is gone",
    ALL,
    "Stored session working directory does not exist: /home/me/gone\nSession file: /home/me/s.jsonl\nCurrent working directory: /home/me",
    "session_path",
    "The folder /home/me/gone of this session no longer exists.",
  ],
  [
    "a file that is no session",
    SINCE_087,
    "Error: Session file is not a valid pi session: /home/me/s.jsonl",
    "session_path",
    "The agent found no session in /home/me/s.jsonl.",
  ],
  [
    "a model that it does not know",
    ALL,
    'Error: Model "elsewhere/two" not found. Use --list-models to see available models.',
    "model",
    'The agent does not know the model elsewhere/two: Error: Model "elsewhere/two" not found. Use --list-models to see available models.',
  ],
  [
    "a syntax error in an extension",
    "0.74.2",
    'Error: Failed to load extension "/home/me/broken.ts": Failed to load extension: ParseError: Unexpected token  \n /home/me/broken.ts:1:31',
    null,
    "The agent cannot load the extension /home/me/broken.ts: ParseError: Unexpected token, at /home/me/broken.ts:1:31",
  ],
  [
    "a syntax error in an extension",
    SINCE_087,
    'Error: Failed to load extension "/home/me/broken.ts": Failed to load extension: ParseError: Unexpected token  \n /home/me/broken.ts:1:31\nHint: Start without extensions using "pi -ne".',
    null,
    "The agent cannot load the extension /home/me/broken.ts: ParseError: Unexpected token, at /home/me/broken.ts:1:31",
  ],
  [
    "an extension that throws",
    SINCE_087,
    'Error: Failed to load extension "/home/me/thrower.ts": Failed to load extension: no database here\nHint: Start without extensions using "pi -ne".',
    null,
    "The agent cannot load the extension /home/me/thrower.ts: no database here",
  ],
  [
    "an extension without its package",
    SINCE_087,
    'Error: Failed to load extension "/home/me/imp.ts": Failed to load extension: Cannot find module \'not-there\'\nRequire stack:\n- /home/me/imp.ts\nHint: Start without extensions using "pi -ne".',
    null,
    "The agent cannot load the extension /home/me/imp.ts: Cannot find module 'not-there'",
  ],
  [
    "a Node that is too old",
    SINCE_087,
    `file:///opt/pi-coding-agent/dist/bundle/cli.js:2
import { createRequire, enableCompileCache } from "node:module";
                        ^^^^^^^^^^^^^^^^^^
SyntaxError: The requested module 'node:module' does not provide an export named 'enableCompileCache'
    at ModuleJob._instantiate (node:internal/modules/esm/module_job:213:21)
    at async ModuleJob.run (node:internal/modules/esm/module_job:320:5)

Node.js v20.20.2`,
    null,
    "This release of the agent needs Node.js 22.19 or later, not v20.20.2.",
  ],
  [
    "an agent directory that is a file",
    ALL,
    `node:fs:1370
  const result = binding.mkdir(
                         ^

Error: ENOTDIR: not a directory, mkdir '/home/me/.pi/agent/sessions/--home-me--'
    at mkdirSync (node:fs:1370:26)
    at getDefaultSessionDir (file:///opt/pi-coding-agent/dist/bundle/chunks/chunk.js:521:4315) {
  errno: -20,
  code: 'ENOTDIR',
  syscall: 'mkdir',
  path: '/home/me/.pi/agent/sessions/--home-me--'
}

Node.js v22.23.3`,
    null,
    "The agent exited with code 1 before it was ready: Error: ENOTDIR: not a directory, mkdir '/home/me/.pi/agent/sessions/--home-me--'",
  ],
  [
    "an option that it does not know",
    ALL,
    "Error: Unknown option: --nonsense",
    null,
    "This version of the agent does not know the option --nonsense; update it.",
  ],
  [
    "settings that cannot be read, before the cause",
    SINCE_087,
    "Warning: Invalid settings file /home/me/settings.json: Expected property name or '}' in JSON at position 2 (line 1 column 3)\nError: Unknown option: --nonsense",
    null,
    "This version of the agent does not know the option --nonsense; update it.",
  ],
];

describe("an agent that does not start", () => {
  it.each(REAL)("tells of %s (%s)", (_what, _releases, stderr, field, message) => {
    const error = startFailure({ exit_code: 1, signal: null, stderr }, "elsewhere/two");
    expect(error.message).toBe(message);
    expect([error.code, error.details]).toEqual(
      field === null ? ["UNAVAILABLE", null] : ["INVALID_PAYLOAD", [{ path: field, message }]],
    );
  });

  it.each([
    [
      { exit_code: null, signal: null, stderr: "spawn pi ENOENT" },
      "The agent could not be started before it was ready: spawn pi ENOENT",
    ],
    [{ exit_code: null, signal: "SIGKILL", stderr: "" }, "The agent was terminated by SIGKILL before it was ready."],
    [{ exit_code: 2, signal: null, stderr: "a\nb\nc\nd" }, "The agent exited with code 2 before it was ready: b c d"],
  ])("tells how it ended where it does not say why: %j", (exit, message) => {
    expect(startFailure(exit, null).message).toBe(message);
  });

  it("tells the cause where it hangs", () => {
    const stderr = "Warning: slow\nTypeError: fetch failed\n    at node:internal/deps/undici:1:1";
    expect(startTimeout(60_000, stderr).message).toBe(
      "The agent was not ready after 60 seconds and was terminated: TypeError: fetch failed",
    );
  });
});

import { anyText } from "@sm/text-index/any-text.fixture";
import fc from "fast-check";

/** JSON as it is written. */
type Written = string;

/** Strings that mean something somewhere, each written in one of the ways that JSON has. */
function anyWritten(...texts: string[]): fc.Arbitrary<Written> {
  return fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...texts).map((text) => JSON.stringify(text)) },
    { weight: 1, arbitrary: fc.constantFrom(...texts).map(escapedLetters) },
    { weight: 1, arbitrary: fc.constantFrom("null", "true", "false", "7", "{}", '["text"]', '""') },
  );
}

function escapedLetters(text: string): Written {
  return `"${text.replace(/\w/, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
}

const anySaid: fc.Arbitrary<Written> = fc.oneof(
  { weight: 6, arbitrary: anyText.map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.constantFrom('"one\\ntwo \\"three\\" C:\\\\new"', '" \\n\\t"', '""', '"\\u00a0\\ufeff"') },
  { weight: 1, arbitrary: fc.constantFrom('"\\u0061b \\/c"', '"\\ud83d\\ude00"', "null", "0", "{}", '["a"]') },
);

const anyScalar: fc.Arbitrary<Written> = fc.oneof(
  anySaid,
  fc.constantFrom(
    '"src/a.ts"',
    '"a b/c"',
    '"README"',
    '".gitignore"',
    '"C:\\\\a.cs"',
    '"x\\u002fy"',
    '"https://a.b/c"',
  ),
  fc.constantFrom("null", "true", "false", "0", "-0", "12", "-7", "0.5", "1.50", "1e3", "1E-7", "12345678901234567890"),
);

const anyKey = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom("path", "file_path", "paths", "command", "edits", "cwd", "x", "é", "y", "z"),
  },
  { weight: 1, arbitrary: fc.constantFrom("", "2x", "10", "__proto__") },
);

const { value: anyValue } = fc.letrec<{ value: Written; inner: Written }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, anyScalar, tie("inner")),
  inner: fc.oneof(
    fc.array(tie("value"), { maxLength: 3 }).map((values) => `[${values}]`),
    fc.array(fc.tuple(anyKey, tie("value")), { maxLength: 4 }).map(written),
  ),
}));

const anyArguments = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.tuple(anyKey, anyValue), { maxLength: 4 }).map(written) },
  { weight: 1, arbitrary: anyValue },
);

type Member = [key: string, value: Written];

function written(members: readonly Member[]): Written {
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`)}}`;
}

/** Members of which some are missing, stand elsewhere or come twice. */
function anyObject(members: Record<string, fc.Arbitrary<Written>>): fc.Arbitrary<Written> {
  const each = Object.entries(members).map(([key, value]) => fc.tuple(fc.constant(key), value));
  const all: fc.Arbitrary<Member[]> = fc.tuple(...each);
  return fc.oneof(
    { weight: 20, arbitrary: all.map(written) },
    { weight: 1, arbitrary: all.chain((some) => fc.shuffledSubarray(some)).map(written) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(all, all)
        .chain((twice) => fc.shuffledSubarray(twice.flat(), { minLength: 1 }))
        .map(written),
    },
  );
}

const anyBlock = fc.oneof(
  { weight: 2, arbitrary: anyObject({ type: anyWritten("text"), text: anySaid }) },
  { weight: 2, arbitrary: anyObject({ type: anyWritten("thinking"), thinking: anySaid, thinkingSignature: anySaid }) },
  {
    weight: 4,
    arbitrary: anyObject({ type: anyWritten("toolCall"), name: anyWritten("bash", "edit"), arguments: anyArguments }),
  },
  { weight: 1, arbitrary: anyObject({ type: anyWritten("image", "text", "toolCall"), data: anySaid }) },
  { weight: 1, arbitrary: anyValue },
);

const anyContent = fc.oneof(
  { weight: 6, arbitrary: fc.array(anyBlock, { maxLength: 4 }).map((blocks) => `[${blocks}]`) },
  { weight: 1, arbitrary: anySaid },
  { weight: 1, arbitrary: anyValue },
);

const anyNestedCall = fc.oneof(
  {
    weight: 4,
    arbitrary: anyObject({
      name: anyWritten("bash", "mcp__x.y"),
      arguments: anyArguments,
      status: anyWritten("ok", "error"),
      error: anySaid,
    }),
  },
  { weight: 1, arbitrary: anyValue },
);

const anyNestedCalls = fc.oneof(
  {
    weight: 4,
    arbitrary: anyObject({
      calls: fc.array(anyNestedCall, { maxLength: 3 }).map((calls) => `[${calls}]`),
      complete: fc.constantFrom("true", "false"),
    }),
  },
  { weight: 1, arbitrary: anyValue },
);

const anyMessage = anyObject({
  role: anyWritten(
    "user",
    "assistant",
    "assistant",
    "assistant",
    "assistant",
    "toolResult",
    "toolResult",
    "toolResult",
    "custom",
    "hookMessage",
    "system",
    "bashExecution",
    "x",
  ),
  content: anyContent,
  toolName: anyWritten("bash", "mcp__x.y", "é"),
  nestedCalls: anyNestedCalls,
  model: anyWritten("claude-opus-4-5"),
  display: fc.constantFrom("true", "false", "null"),
  command: anySaid,
  output: anySaid,
});

const anyTime = anyWritten("2026-03-01T10:00:00Z");

/** A line of pi as it may be written, with all that JSON allows, and some that the agent would never write. */
export const anyPiLine: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: anyObject({ type: anyWritten("message"), timestamp: anyTime, message: anyMessage }) },
  anyObject({ type: anyWritten("compaction", "branch_summary"), timestamp: anyTime, summary: anySaid }),
  anyObject({ type: anyWritten("custom_message"), content: anyContent, display: fc.constantFrom("true", "false") }),
  anyObject({ type: anyWritten("session_info"), timestamp: anyTime, name: anySaid }),
  anyObject({ type: anyWritten("label"), targetId: anySaid, label: anySaid }),
  anyObject({ type: anyWritten("model_change", "message"), message: anySaid, modelId: anySaid }),
);

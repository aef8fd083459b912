import { afterSeq, identifier, optional, path, wholeNumber } from "@sm/core/input";
import { MEBIBYTE } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { listedTerminal, terminal } from "../schema/terminal.ts";
import type { Services } from "../services.ts";
import { ID, PROJECT } from "./example-values.ts";

const command = commandUsing<"terminals">();

const size = wholeNumber(1, 1_000);

const named = v.strictObject({ id: v.string() });

const data = v.pipe(v.string(), v.maxLength(1_048_576, "At most 1048576 characters; send more in parts."));

const own = {
  access: "control" as const,
  controls: "terminals",
  prerequisite: ({ terminals }: Pick<Services, "terminals">) => terminals.checkAvailable(),
};

/** A connection receives the events of terminals that it created or attached to. */
const topics = ({ id }: { id: string }) => [`terminal:${id}`];

export const terminalCommands = {
  create_terminal: command({
    ...own,
    summary: "Opens a terminal in a directory, with the user's shell or another program.",
    input: v.strictObject({
      cwd: path,
      cols: v.nullish(size, 80),
      rows: v.nullish(size, 24),
      shell: optional(v.pipe(path, v.description("Name or absolute path of a program."))),
    }),
    example: { cwd: PROJECT, cols: 120, rows: 40 },
    output: terminal,
    run: (input, { terminals }, { tokenId }) => terminals.create({ ...input, tokenId }),
    topics,
  }),

  terminal_write: command({
    ...own,
    summary: "Writes input to a terminal.",
    input: v.strictObject({ id: identifier, data }),
    example: { id: ID, data: "ls\r" },
    output: named,
    run: (input, { terminals }) => terminals.write(input.id, input.data),
  }),

  terminal_resize: command({
    ...own,
    summary: "Resizes a terminal; columns and rows in characters.",
    input: v.strictObject({ id: identifier, cols: size, rows: size }),
    example: { id: ID, cols: 120, rows: 40 },
    output: named,
    run: (input, { terminals }) => terminals.resize(input.id, input.cols, input.rows),
  }),

  terminal_close: command({
    ...own,
    summary: "Closes a terminal and ends all processes in it.",
    input: v.strictObject({ id: identifier }),
    example: { id: ID },
    output: named,
    run: (input, { terminals }) => terminals.close(input.id),
  }),

  list_terminals: command({
    ...own,
    summary: "Lists the terminals, oldest first, including those whose program has ended until they are closed.",
    input: v.strictObject({}),
    output: v.array(listedTerminal),
    run: (_input, { terminals }) => terminals.list(),
  }),

  attach_terminal: command({
    ...own,
    summary: "Reads the recent output of a terminal; a WebSocket connection then receives its further output.",
    input: v.strictObject({ id: identifier, after_seq: optional(afterSeq) }),
    example: { id: ID },
    output: v.strictObject({
      id: v.string(),
      cols: v.number(),
      rows: v.number(),
      seq: v.number(),
      data: v.string(),
      sizes: v.pipe(
        v.array(v.strictTuple([v.number(), v.number(), v.number()])),
        v.description("Sizes of the terminal, each with the UTF-16 offset in `data` from which it applied."),
      ),
    }),
    answerBytes: 4 * MEBIBYTE,
    run: (input, { terminals }) => terminals.attach(input.id, input.after_seq ?? null),
    topics,
  }),
};

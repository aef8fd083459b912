import type { ExportedPieces } from "@sm/core";
import { archiveInput, exportFormats, exportInput, redactionsInput } from "@sm/core/input";
import { MEBIBYTE, OPEN_SESSION_BYTES } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
import { JsonText, jsonString } from "../json-text.ts";
import * as v from "../schema/json.ts";
import { SESSION } from "./example-values.ts";

const command = commandUsing<"sessions">();
const ticketCommand = commandUsing<"exportTickets">();

/** Maximum size of an export. */
const MAX_EXPORT_BYTES = 32 * MEBIBYTE;

const redactionCount = { type: v.string(), count: v.number() };

export const exportCommands = {
  export_session: command({
    summary: "Exports a session as HTML, Markdown or JSON.",
    access: "read",
    input: exportInput,
    example: { path: SESSION, format: "markdown", include_thinking: false },
    output: v.strictObject({
      format: v.picklist(exportFormats),
      file_name: v.string(),
      media_type: v.string(),
      content: v.string(),
      redactions: v.pipe(
        v.nullable(v.array(v.strictObject(redactionCount))),
        v.description("The redactions made; `null` without `redact`."),
      ),
    }),
    answerBytes: OPEN_SESSION_BYTES + MAX_EXPORT_BYTES,
    async run(input, { sessions }, { requester }) {
      const { content, redactions, ...named } = await sessions.exportPieces(input, requester);
      const bytes = content.reduce((sum, piece) => sum + piece.length, 0);
      return new JsonText(exportedJson(named, content, redactions), bytes);
    },
  }),

  preview_redactions: command({
    summary: "Previews what an export of a session with `redact` would replace, without showing the secrets.",
    access: "read",
    input: redactionsInput,
    example: { path: SESSION },
    output: v.strictObject({
      findings: v.array(
        v.strictObject({
          ...redactionCount,
          examples: v.pipe(
            v.array(v.strictObject({ entry_id: v.nullable(v.string()), excerpt: v.string() })),
            v.description("At most three examples, shown after redaction."),
          ),
        }),
      ),
      total: v.number(),
    }),
    answerBytes: OPEN_SESSION_BYTES,
    run: (input, { sessions }, { requester }) => sessions.previewRedactions(input, requester),
  }),

  export_sessions: ticketCommand({
    summary: "Prepares a zip of many exports and returns its download URL, valid once and for one minute.",
    access: "read",
    input: archiveInput,
    example: { paths: [SESSION], format: "html" },
    output: v.strictObject({
      url: v.pipe(v.string(), v.description("Relative to the service's URL; fetch it with GET.")),
      expires_at: v.string(),
    }),
    run: (input, { exportTickets }, { requester }) => exportTickets.issue(input, requester),
  }),
};

/** Streams an export without joining its pieces. */
async function* exportedJson(
  named: Omit<ExportedPieces, "content" | "redactions">,
  content: readonly Uint8Array[],
  redactions: ExportedPieces["redactions"],
): AsyncGenerator<string, void> {
  const { format, file_name, media_type } = named;
  yield `${JSON.stringify({ format, file_name, media_type }).slice(0, -1)},"content":`;
  yield* jsonString(decoded(content));
  yield `,"redactions":${JSON.stringify(redactions)}}`;
}

function* decoded(pieces: readonly Uint8Array[]): Generator<string, void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

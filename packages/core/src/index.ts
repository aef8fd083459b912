export { type Token, tokenize } from "@sm/text-index/analysis";
export * from "./activity-board.ts";
export * from "./agent-news.ts";
export type * from "./agent-resources.ts";
export {
  type AgentHome,
  type AgentSwitch,
  type AgentSwitches,
  agentName,
  OTHER_AGENTS,
  type OtherAgent,
  type OtherAgentName,
} from "./agents.ts";
export type { Bookmark } from "./bookmarks.ts";
export type { Budget } from "./budget.ts";
export type * from "./changes.ts";
export { type Costs, formatCosts, formatDollars } from "./dollars.ts";
export { AppError, ERROR_STATUS, type ErrorCode, type ErrorDetails, type PayloadIssue } from "./errors.ts";
export type { ExportSelection } from "./export/document.ts";
export { exportFileName } from "./export/file-name.ts";
export { PAGE_SCRIPT_HASH as EXPORT_SCRIPT_HASH } from "./export/html/assets.ts";
export { PAGE_POLICY as EXPORT_POLICY } from "./export/html/page-policy.ts";
export { RunTree } from "./export/html/run-tree.ts";
export { exportHtml, type HtmlOptions } from "./export/html.ts";
export { type ExportedMessage, exportJson } from "./export/json-export.ts";
export { exportMarkdown } from "./export/markdown.ts";
export { accountsIn } from "./export/redact/homes.ts";
export { Redactor } from "./export/redact/redactor.ts";
export {
  MAX_WORD_LENGTH,
  MAX_WORDS,
  MAX_WORDS_LENGTH,
  MIN_WORD_LENGTH,
  type WordProblem,
  wordProblem,
  wordsIn,
} from "./export/redact/word-list.ts";
export { previewRedactions, redactTranscript } from "./export/redact.ts";
export { UniqueFileNames } from "./export/unique-file-names.ts";
export { type Agent, startCommand } from "./format/agent.ts";
export type { EntryFacts, SearchPart, SessionFormat, SessionHeader } from "./format/format.ts";
export { formatNamed, formats } from "./format/formats.ts";
export { onlyReadError } from "./format/only-read.ts";
export { piItem } from "./format/pi/items.ts";
export { type BriefedSession, HandOverBrief } from "./hand-over/brief.ts";
export { type EntryText, failureText, fittingText, MOST_OF_ENTRY } from "./hand-over/entry-text.ts";
export { CONVERTED_FROM, type ConversionOrigin } from "./hand-over/pi-lines.ts";
export { type ChangedFile, type FailedCall, SessionWork } from "./hand-over/session-work.ts";
export { type Texts, textsOf } from "./hand-over/texts.ts";
export { type FileUse, filesOf, useOf } from "./hand-over/tool-use.ts";
export * from "./hub/batch.ts";
export { type HubService, hubPath } from "./hub/hub.ts";
export type * from "./hub/hub-status.ts";
export type * from "./hub/outbox.ts";
export { isJsonObject, isTooDeep, type JsonObject, type JsonValue } from "./json.ts";
export type * from "./library.ts";
export * from "./live-sessions.ts";
export type * from "./model-config.ts";
export { nearest } from "./nearest.ts";
export type { Note } from "./notes.ts";
export type { Requester } from "./requester.ts";
export { isAgentNamed } from "./search/agent-name.ts";
export { countMatches, findPattern, MAX_FIND_LENGTH, MAX_MATCHES } from "./search/find-pattern.ts";
export { parseQuery, printQuery, withResolvedTimes } from "./search/query.ts";
export type * from "./search/query-tree.ts";
export { makeSnippet, type Snippet, type SnippetTerm, snippetTerms } from "./search/snippet.ts";
export { QUIET_ENDINGS } from "./session/endings.ts";
export { syntheticId } from "./session/entry-ids.ts";
export type { FoldState } from "./session/fold-state.ts";
export { LineSplitter, parseLine } from "./session/jsonl.ts";
export { type OpenTranscriptOptions, openTranscript } from "./session/open-transcript.ts";
export { OUTLINE_CHUNK, Outline, type OutlineEntry } from "./session/outline.ts";
export { declaredName, type PromptCounts, promptCounts } from "./session/prompt-parts.ts";
export {
  SESSION_FORMATS,
  type SessionCapabilities,
  type SessionFormatName,
  type SessionOutcome,
  type SessionRecord,
  type SessionRelation,
  type Usage,
} from "./session/record.ts";
export { type Reference, readReference, referenceOf, uriOf } from "./session/reference.ts";
export { layOutRuns, type RunLayout } from "./session/runs.ts";
export { SessionFold } from "./session/session-fold.ts";
export type { SessionFileFacts } from "./session/summary.ts";
export { cut, cutToJson, oneLine } from "./session/text.ts";
export { formatTimestamp, parseTimestamp } from "./session/timestamp.ts";
export type * from "./session/transcript.ts";
export type { TranscriptOrder } from "./session/transcript-layout.ts";
export { branchEnds, branchTo, keptAncestors, keptEntries, newestBelow, withoutCycles } from "./session/tree.ts";
export { addUsage, noUsage } from "./session/usage.ts";
export { pastablePath, shellQuote } from "./shell-quote.ts";
export type * from "./statistics.ts";
export { isTimeZone } from "./stats/time-zone.ts";
export type * from "./tags.ts";
export * from "./terminals.ts";
export type * from "./tokens.ts";
export { noRoomError, Turns } from "./turns.ts";
export { readTypedTime, type TimeDirection, type TypedTime } from "./typed-time.ts";
export * from "./vault.ts";

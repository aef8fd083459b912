import type { MessageItem, TranscriptItem } from "../../session/transcript.ts";
import { anchorOf } from "./anchor.ts";
import { bookmark, type Labels } from "./bookmark.ts";
import { escapeHtml } from "./escape.ts";
import { lineHtml } from "./line-html.ts";
import { usageHtml } from "./usage.ts";

/** Tracks speaker, date and model, so that only changes are shown. */
export class EntryHeads {
  #speaker = "";
  #day = "";
  #model = "";
  readonly #labels: Labels;
  readonly #noteOn: (entryId: string) => string;

  /** @param noteOn gives the HTML of the user's note on an entry; empty without one. */
  constructor(labels: Labels, noteOn: (entryId: string) => string = () => "") {
    this.#labels = labels;
    this.#noteOn = noteOn;
  }

  /**
   * Opens the `<article>` of an entry. The consecutive messages of one speaker form a turn, whose first one has the
   * speaker's name as heading; `speaker` is `null` for notes.
   */
  open(item: TranscriptItem, kind: string, speaker: string | null): string {
    const continues = speaker !== null && speaker === this.#speaker;
    // Notes may be within a turn without ending it.
    if (speaker !== null) this.#speaker = speaker;
    const heading = speaker === null || continues ? "" : `<h3>${escapeHtml(speaker)}</h3>`;
    const model = item.kind === "message" ? this.#modelHtml(item) : "";
    // The usage of a result is shown with its call, that of a note in its line.
    const usage = item.kind === "message" || item.kind === "summary" ? usageHtml(item.usage) : "";
    const head = `${heading}${bookmark(item.id, this.#labels)}<span class="meta">${model}${usage}${this.#when(item)}</span>`;
    const classes = `entry entry-${kind}${continues ? " continues-turn" : ""}`;
    return `<article class="${classes}" id="${anchorOf(item.id)}"><div class="head">${head}</div>${this.#noteOn(item.id)}`;
  }

  /** The time is the entry's permalink. */
  #when({ id, timestamp }: TranscriptItem): string {
    if (timestamp === null) return `<a class="when" href="#${anchorOf(id)}" title="Link to this entry">#</a>`;
    const [day = "", time = ""] = timestamp.split("T");
    const shown = day === this.#day ? time.slice(0, 5) : `${day} ${time.slice(0, 5)}`;
    this.#day = day;
    const title = `${day} ${time.slice(0, 8)} UTC. Link to this entry`;
    return `<a class="when" href="#${anchorOf(id)}" title="${escapeHtml(title)}"><time datetime="${escapeHtml(timestamp)}">${escapeHtml(shown)}</time></a>`;
  }

  #modelHtml({ provider, model, response_model, thinking_level }: MessageItem): string {
    if (model === null) return "";
    const asked = provider === null ? model : `${provider}/${model}`;
    const answered = response_model === null || response_model === model ? "" : ` → ${response_model}`;
    const name = asked + answered;
    if (name === this.#model) return "";
    this.#model = name;
    const title = thinking_level === null ? "" : ` title="Thinking level: ${lineHtml(thinking_level)}"`;
    return `<span class="model"${title}>${lineHtml(name)}</span>`;
  }
}

import type { MessageItem, TranscriptItem } from "../../session/transcript.ts";
import { anchorOf } from "./anchor.ts";
import { bookmark, type Labels } from "./bookmark.ts";
import { escapeHtml } from "./escape.ts";
import { lineHtml } from "./line-html.ts";

/** Who speaks, and what has been said of time and model: what does not change is not repeated. */
export class EntryHeads {
  #speaker = "";
  #day = "";
  #model = "";
  readonly #labels: Labels;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  /**
   * Opens the `<article>` of an entry. One turn of a speaker is a chain of messages, of which only the first has the
   * speaker's name as its heading; `speaker` is `null` for what nobody says.
   */
  open(item: TranscriptItem, kind: string, speaker: string | null): string {
    const continues = speaker !== null && speaker === this.#speaker;
    // What nobody says stands between the messages of a turn without ending it.
    if (speaker !== null) this.#speaker = speaker;
    const heading = speaker === null || continues ? "" : `<h3>${escapeHtml(speaker)}</h3>`;
    const meta = item.kind === "message" ? this.#meta(item) : "";
    const head = `${heading}${bookmark(item.id, this.#labels)}<span class="meta">${meta}${this.#when(item)}</span>`;
    const classes = `entry entry-${kind}${continues ? " continues-turn" : ""}`;
    return `<article class="${classes}" id="${anchorOf(item.id)}"><div class="head">${head}</div>`;
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

  #meta({ provider, model, usage }: MessageItem): string {
    let meta = "";
    if (model !== null) {
      const name = provider === null ? model : `${provider}/${model}`;
      if (name !== this.#model) meta += `<span class="model">${lineHtml(name)}</span>`;
      this.#model = name;
    }
    if (usage !== null && usage.total_tokens > 0) {
      const kinds = [
        `${count(usage.input_tokens)} input`,
        `${count(usage.output_tokens)} output`,
        `${count(usage.cache_read_tokens)} cache read`,
        `${count(usage.cache_write_tokens)} cache write`,
      ];
      meta += `<span class="usage" title="${kinds.join(", ")}">${count(usage.total_tokens)} tokens</span>`;
    }
    if (usage !== null && usage.cost_usd !== null && usage.cost_usd > 0) {
      meta += `<span class="usage">$${usage.cost_usd < 0.1 ? usage.cost_usd.toFixed(4) : usage.cost_usd.toFixed(2)}</span>`;
    }
    return meta;
  }
}

function count(value: number): string {
  return value.toLocaleString("en");
}

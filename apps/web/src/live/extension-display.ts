import type { JsonObject } from "@sm/core";
import { textOf, textsOf } from "./agent-record.ts";

/** Lines that an extension keeps beside the prompt. */
export interface Widget {
  lines: readonly string[];
  isBelowPrompt: boolean;
}

/** What extensions keep in sight; those that name the same key replace what they have shown. */
export interface ExtensionDisplay {
  /** One line each. */
  statuses: ReadonlyMap<string, string>;
  widgets: ReadonlyMap<string, Widget>;
  /** What a terminal would have in its title. */
  title: string | null;
}

export const NOTHING_DISPLAYED: ExtensionDisplay = { statuses: new Map(), widgets: new Map(), title: null };

/** Statuses, and widgets, at most. */
const MAX_SHOWN = 20;
/** As many as the agent itself shows of a widget, and some more. */
const MAX_LINES = 20;
const MAX_LINE_LENGTH = 1_000;

/** Takes a request of an extension; the same display where it is about something else. */
export function withRequest(display: ExtensionDisplay, event: JsonObject): ExtensionDisplay {
  switch (event.method) {
    case "setStatus": {
      const text = cut(textOf(event.statusText) ?? "");
      return { ...display, statuses: changed(display.statuses, textOf(event.statusKey), text === "" ? null : text) };
    }
    case "setWidget": {
      const lines = textsOf(event.widgetLines, MAX_LINES).map(cut);
      const widget = lines.length === 0 ? null : { lines, isBelowPrompt: event.widgetPlacement === "belowEditor" };
      return { ...display, widgets: changed(display.widgets, textOf(event.widgetKey), widget) };
    }
    case "setTitle": {
      const title = cut(textOf(event.title) ?? "").trim();
      return { ...display, title: title === "" ? null : title };
    }
    default:
      return display;
  }
}

function cut(line: string): string {
  return line.slice(0, MAX_LINE_LENGTH);
}

/** Replaces what belongs to a key; `null` takes it away. */
function changed<Value>(
  before: ReadonlyMap<string, Value>,
  key: string | null,
  value: Value | null,
): ReadonlyMap<string, Value> {
  const after = new Map(before);
  if (value === null) after.delete(key ?? "");
  else if (after.has(key ?? "") || after.size < MAX_SHOWN) after.set(key ?? "", value);
  return after;
}

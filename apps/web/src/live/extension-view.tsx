import { Markup } from "../entries/content/markup.tsx";
import { renderedOutput } from "../entries/content/rendered.ts";
import type { ExtensionDisplay } from "./extension-display.ts";

interface WidgetsProps {
  widgets: ExtensionDisplay["widgets"];
  isBelowPrompt: boolean;
}

/** What extensions show above the prompt, or below it, in the colours that they give it. */
export function Widgets({ widgets, isBelowPrompt }: WidgetsProps) {
  const shown = [...widgets].filter(([, widget]) => widget.isBelowPrompt === isBelowPrompt);
  return shown.map(([key, { lines }]) => (
    <div
      key={key}
      className="transcript whitespace-pre-wrap rounded-md bg-sunken px-3 py-2 font-mono text-muted text-xs [overflow-wrap:anywhere]"
    >
      <Markup as="samp" html={renderedOutput(lines.join("\n"))} />
    </div>
  ));
}

/** The lines that extensions keep at the end of the page. */
export function Statuses({ statuses }: Pick<ExtensionDisplay, "statuses">) {
  if (statuses.size === 0) return null;
  return (
    <p className="transcript flex flex-wrap gap-x-4 px-1 text-faint text-xs">
      {[...statuses].map(([key, text]) => (
        <span key={key} className="max-w-full truncate [&_samp]:font-sans">
          <Markup as="samp" html={renderedOutput(text)} />
        </span>
      ))}
    </p>
  );
}

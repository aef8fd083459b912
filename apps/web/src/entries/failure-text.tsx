import { Markup } from "./content/markup.tsx";
import { renderedOutput } from "./content/rendered.ts";
import { failureLine } from "./failure-line.ts";

/** Says in one line why something has failed, by its output; nothing without one. */
export function FailureText({ output }: { output: string }) {
  const line = failureLine(output);
  if (line === null) return null;
  return (
    <p className="call-failure">
      <Markup as="samp" html={renderedOutput(line)} />
    </p>
  );
}

import type { JsonValue } from "@sm/core";
import { stringify } from "@sm/core/rendering";
import { useMemo } from "react";
import { CodeBlock } from "./content/code-block.tsx";

/** UTF-16 units of a value that is indented, and levels in it: indentation must not become most of it. */
const MAX_INDENTED = 256 * 1024;
const MAX_LEVELS = 20;

/** Shows a value as JSON. */
export function DataBlock({ value }: { value: JsonValue }) {
  const json = useMemo(() => {
    const plain = stringify(value);
    return plain.length <= MAX_INDENTED && !isDeeper(value, MAX_LEVELS) ? stringify(value, 2) : plain;
  }, [value]);
  return <CodeBlock code={json} word="json" />;
}

function isDeeper(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

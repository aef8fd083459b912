import { FilePen, FilePlus, FileText, FolderOpen, Globe, Search, SquareTerminal, Wrench } from "lucide-react";

const ICONS = [
  [/bash|shell|exec|terminal|command/i, SquareTerminal],
  [/write|create/i, FilePlus],
  [/edit|patch|replace/i, FilePen],
  [/read|view|cat|open/i, FileText],
  [/grep|find|search|glob/i, Search],
  [/^ls$|list|dir/i, FolderOpen],
  [/fetch|web|http|browser/i, Globe],
] as const;

/** Tells kinds of tools apart at a glance; the name beside it says which it is. */
export function ToolIcon({ name }: { name: string }) {
  const Icon = ICONS.find(([pattern]) => pattern.test(name))?.[1] ?? Wrench;
  return <Icon aria-hidden className="call-icon" strokeWidth={1.75} />;
}

import { MAX_FIND_LENGTH, MAX_MATCHES } from "@sm/core";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { IconButton } from "../../design/button.tsx";
import { errorText } from "../../design/error-state.tsx";
import { Input } from "../../design/input.tsx";
import { t } from "../../i18n/text.ts";
import type { Find } from "./use-find.ts";

interface FindBarProps {
  query: string;
  find: Find;
  /** Entries of the branch. */
  total: number;
  onQuery(query: string): void;
  onClose(): void;
}

/** Where one types what to find in a session. */
export function FindBar({ query, find, total, onQuery, onClose }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <search className="find-bar">
      <Input
        ref={field}
        autoFocus
        maxLength={MAX_FIND_LENGTH}
        value={query}
        aria-label={t("transcript.find")}
        placeholder={t("transcript.find")}
        className="min-w-0 flex-1 desk:max-w-80"
        onChange={({ target }) => onQuery(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") find.step(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") onClose();
          else return;
          event.preventDefault();
        }}
      />
      <output aria-live="polite" className="find-count">
        {statusText(find, total)}
      </output>
      <IconButton
        size="sm"
        icon={ChevronUp}
        label={t("transcript.find_before")}
        keys="shift+enter"
        onClick={() => find.step(-1)}
      />
      <IconButton
        size="sm"
        icon={ChevronDown}
        label={t("transcript.find_next")}
        keys="enter"
        onClick={() => find.step(1)}
      />
      <IconButton size="sm" icon={X} label={t("frame.close")} keys="escape" onClick={onClose} />
    </search>
  );
}

function statusText({ pattern, findings, index, error }: Find, total: number): string {
  if (error !== null) return errorText(error);
  if (pattern === null) return "";
  if (total === 0) return t("transcript.found_none");
  if (findings === null || (findings.count === 0 && !findings.isComplete)) {
    return t("transcript.finding", { percent: percentOf(findings?.scanned ?? 0, total) });
  }
  if (findings.count === 0) return t("transcript.found_none");
  const place = index < 0 ? "…" : index + 1;
  if (findings.count >= MAX_MATCHES) return t("transcript.found_many", { place, count: MAX_MATCHES });
  if (!findings.isComplete) return t("transcript.found_so_far", { place, count: findings.count });
  return t("transcript.found", { place, count: findings.count });
}

function percentOf(scanned: number, total: number): string {
  return `${total === 0 ? 0 : Math.floor((scanned / total) * 100)}%`;
}

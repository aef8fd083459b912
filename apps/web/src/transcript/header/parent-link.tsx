import { Link, useRouterState } from "@tanstack/react-router";
import { CornerLeftUp } from "lucide-react";
import { useSession } from "../../client/service-context.tsx";
import { t } from "../../i18n/text.ts";
import { sessionTitle } from "../../projects/session-title.ts";
import { ELSEWHERE } from "../../url/elsewhere.ts";

const TEXTS = {
  subagent: { parent: "transcript.parent", of: "transcript.subagent_of" },
  fork: { parent: "transcript.fork_parent", of: "transcript.fork_of" },
} as const;

interface ParentLinkProps {
  /** Of the parent. */
  path: string;
  relation: keyof typeof TEXTS;
}

/**
 * Leads from a fork to the session that it was made of, and from the session of a subagent to the one that has started
 * it: to the call, where one has come from there.
 */
export function ParentLink({ path, relation }: ParentLinkProps) {
  const texts = TEXTS[relation];
  const parent = useSession(path);
  const entry = useRouterState({ select: ({ location }) => location.state.startedAt });
  return (
    <nav aria-label={t(texts.parent)} className="flex">
      <Link
        to="/session"
        search={(search) => ({ ...search, ...ELSEWHERE, path, entry }) as never}
        preload={false}
        title={path}
        className="flex min-w-0 items-center gap-1.5 rounded-sm text-accent text-sm hover:underline touch:min-h-11"
      >
        <CornerLeftUp aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
        <span className="truncate">
          {parent === null ? t(texts.parent) : t(texts.of, { title: sessionTitle(parent) })}
        </span>
      </Link>
    </nav>
  );
}

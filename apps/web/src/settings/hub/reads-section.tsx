import type { CommandOutput } from "@sm/router/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { useMe } from "../../client/hub.ts";
import { useService } from "../../client/service-context.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { Line, Lines } from "../../design/lines.tsx";
import { EmptyState, SkeletonLines } from "../../design/placeholder.tsx";
import { formatMoment, formatRelative } from "../../i18n/format.ts";
import { proseText } from "../../i18n/prose-text.ts";
import { t } from "../../i18n/text.ts";
import { SectionIntro } from "../section-parts.tsx";

type Read = CommandOutput<"list_reads">["reads"][number];

/** Who has read which sessions of others, and when. */
export function ReadsSection() {
  const service = useService();
  const me = useMe();
  const reads = useInfiniteQuery({
    queryKey: ["list_reads", {}],
    queryFn: ({ pageParam, signal }) =>
      service.call("list_reads", pageParam === null ? {} : { cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // No event tells of reads.
    staleTime: 0,
  });
  const { data, error } = reads;
  const isOfAll = me?.role === "owner";
  if (data === undefined) {
    if (error === null) return <SkeletonLines count={5} />;
    return <ErrorState title={t("settings.reads_failed")} error={error} onRetry={() => void reads.refetch()} />;
  }
  const shown = data.pages.flatMap((page) => page.reads);
  return (
    <>
      <SectionIntro>{t(isOfAll ? "settings.reads_all" : "settings.reads_text")}</SectionIntro>
      {shown.length === 0 ? (
        <EmptyState icon={Eye} title={t(isOfAll ? "settings.reads_none_all" : "settings.reads_none")} />
      ) : (
        <Lines label={t("settings.reads")}>
          {shown.map((read, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nothing tells two reads of the same moment apart
            <ReadLine key={at} read={read} me={me?.name ?? null} />
          ))}
        </Lines>
      )}
      {reads.hasNextPage && (
        <div className="flex justify-center pt-4">
          <Button disabled={reads.isFetchingNextPage} onClick={() => void reads.fetchNextPage()}>
            {t("settings.reads_more")}
          </Button>
        </div>
      )}
    </>
  );
}

function ReadLine({ read, me }: { read: Read; me: string | null }) {
  const { at, reader, owner, session_path, session_title, action } = read;
  const whose = owner === me ? [] : [t("settings.read_of", { name: owner })];
  return (
    <Line>
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm">
          <span className="font-strong">{reader}</span>
          {" · "}
          {session_title === null ? (
            <span className="text-muted">{session_path}</span>
          ) : (
            <Link to="/session" search={{ path: session_path }} className="hover:underline">
              {proseText(session_title)}
            </Link>
          )}
        </p>
        <p className="text-faint text-xs">{[...whose, actionText(action)].join(" · ")}</p>
      </div>
      <time dateTime={at} title={formatMoment(at)} className="shrink-0 text-faint text-xs tabular-nums">
        {formatRelative(at, new Date())}
      </time>
    </Line>
  );
}

/** What a command has done with the session, for people. */
function actionText(command: string): string {
  if (command === "search") return t("settings.read_found");
  if (command.startsWith("export") || command === "convert_session") return t("settings.read_exported");
  return t("settings.read_opened");
}

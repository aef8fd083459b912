import { useMemo } from "react";
import { useSessions } from "../client/service-context.tsx";
import { useTags } from "../client/tags.ts";
import { TagDot } from "../design/chip.tsx";
import { t } from "../i18n/text.ts";
import { useListSearch } from "../list/use-list-search.ts";
import { RailLink, RailSection } from "./rail-link.tsx";

/** The user's tags as a tree. */
export function TagLinks() {
  const tags = useTags();
  const { records, isPart } = useSessions();
  const { tag: chosen } = useListSearch();
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const { tag_ids } of records.values()) for (const id of tag_ids) found.set(id, (found.get(id) ?? 0) + 1);
    return found;
  }, [records]);
  if (tags.inOrder.length === 0) return null;
  return (
    <RailSection title={t("rail.tags")}>
      {tags.inOrder.map(({ tag, depth }) => (
        <RailLink
          key={tag.id}
          mark={
            <span className="flex size-4 shrink-0 items-center justify-center">
              <TagDot color={tag.color} />
            </span>
          }
          depth={depth}
          link={{ to: "/", search: { tag: [tag.id] } }}
          isCurrent={chosen?.length === 1 && chosen[0] === tag.id}
          count={isPart ? 0 : (counts.get(tag.id) ?? 0)}
        >
          {tag.name}
        </RailLink>
      ))}
    </RailSection>
  );
}

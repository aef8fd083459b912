import { useMemo, useState } from "react";
import { useSessions } from "../client/service-context.tsx";
import { useTags } from "../client/tags.ts";
import { Button } from "../design/button.tsx";
import { TagDot } from "../design/chip.tsx";
import { t } from "../i18n/text.ts";
import { useListSearch } from "../list/use-list-search.ts";
import { RailLink, RailSection } from "./rail-link.tsx";

/** Links that are added at once: all of a thousand would take too long. */
const MORE = 100;

/** The user's tags as a tree. */
export function TagLinks() {
  const tags = useTags();
  const { records, isPart } = useSessions();
  const { tag: chosen } = useListSearch();
  const [most, setMost] = useState(MORE);
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const { tag_ids } of records.values()) for (const id of tag_ids) found.set(id, (found.get(id) ?? 0) + 1);
    return found;
  }, [records]);
  if (tags.inOrder.length === 0) return null;
  const shown = tags.inOrder.slice(0, most);
  const surplus = tags.inOrder.length - shown.length;
  return (
    <RailSection title={t("rail.tags")}>
      {shown.map(({ tag, depth }) => (
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
          count={isPart ? tag.session_count : (counts.get(tag.id) ?? 0)}
        >
          {tag.name}
        </RailLink>
      ))}
      {surplus > 0 && (
        <Button variant="ghost" size="sm" className="ml-6 text-faint" onClick={() => setMost(most + MORE)}>
          {t("rail.show_all", { count: surplus })}
        </Button>
      )}
    </RailSection>
  );
}

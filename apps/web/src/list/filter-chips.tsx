import { agentName } from "@sm/core";
import type { ReactNode } from "react";
import { useTags } from "../client/tags.ts";
import { Button } from "../design/button.tsx";
import { Chip, TagDot } from "../design/chip.tsx";
import { t } from "../i18n/text.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { sinceText } from "../url/periods.ts";
import type { ListSearch } from "./list-search.ts";
import { useChangeListSearch } from "./use-list-search.ts";

interface Filter {
  key: string;
  name: string;
  content?: ReactNode;
  /** What the list is without it. */
  without: { [Name in keyof ListSearch]?: ListSearch[Name] | undefined };
}

/** Every filter that is on, to be taken away. The text stands in its own field. */
export function FilterChips({ search }: { search: ListSearch }) {
  const change = useChangeListSearch();
  const filters = useFilters(search);
  if (filters.length === 0) return null;
  const all = Object.assign({}, ...filters.map(({ without }) => without), { tag: undefined });
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1 px-3 pb-2">
      {filters.map(({ key, name, content = name, without }) => (
        <Chip key={key} tone="accent" removeLabel={t("list.remove_filter", { name })} onRemove={() => change(without)}>
          {content}
        </Chip>
      ))}
      {filters.length > 1 && (
        <Button variant="ghost" size="sm" className="h-6" onClick={() => change(all)}>
          {t("list.clear_filters")}
        </Button>
      )}
    </div>
  );
}

function useFilters(search: ListSearch): Filter[] {
  const tags = useTags();
  const projectOf = useProjectName();
  const filters: Filter[] = [];
  if (search.project !== undefined) {
    filters.push({ key: "project", name: projectOf(search.project), without: { project: undefined } });
  }
  if (search.favorites === true) {
    filters.push({ key: "favorites", name: t("list.only_favorites"), without: { favorites: undefined } });
  }
  if (search.live === true) filters.push({ key: "live", name: t("list.only_live"), without: { live: undefined } });
  if (search.mine === true) filters.push({ key: "mine", name: t("list.only_mine"), without: { mine: undefined } });
  if (search.owner !== undefined) {
    filters.push({ key: "owner", name: search.owner, without: { owner: undefined } });
  }
  for (const id of search.tag ?? []) {
    const tag = tags.byId.get(id);
    const others = search.tag?.filter((one) => one !== id) ?? [];
    const name = tag?.name ?? id;
    filters.push({
      key: `tag ${id}`,
      name,
      content: (
        <>
          {tag !== undefined && <TagDot color={tag.color} />}
          {name}
        </>
      ),
      without: { tag: others.length === 0 ? undefined : others },
    });
  }
  if (search.agent !== undefined) {
    filters.push({ key: "agent", name: agentName(search.agent), without: { agent: undefined } });
  }
  if (search.model !== undefined) filters.push({ key: "model", name: search.model, without: { model: undefined } });
  if (search.since !== undefined) {
    const name = sinceText(search.since);
    filters.push({ key: "since", name, without: { since: undefined } });
  }
  if (search.until !== undefined) {
    filters.push({ key: "until", name: t("list.until", { time: search.until }), without: { until: undefined } });
  }
  return filters;
}

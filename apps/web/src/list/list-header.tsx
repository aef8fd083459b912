import { ArrowDownWideNarrow, ListFilter, Search } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useAgents } from "../client/agents.ts";
import { useSessions } from "../client/service-context.tsx";
import { useTags } from "../client/tags.ts";
import { IconButton } from "../design/button.tsx";
import { TagDot } from "../design/chip.tsx";
import { Input } from "../design/input.tsx";
import { Menu, MenuCheck, MenuChoice, MenuSeparator, SubMenu } from "../design/menu.tsx";
import { ScreenHeader, useTitle } from "../design/screen.tsx";
import { t } from "../i18n/text.ts";
import { projectName } from "../projects/project-name.ts";
import { isPeriod, PERIODS, sinceText } from "../url/periods.ts";
import { GROUPS, type ListSearch, orderOf, SORTS, usualOrder } from "./list-search.ts";
import { useChangeListSearch } from "./use-list-search.ts";

/** What the list is of, and what changes it. */
export function ListHeader({ search, shown }: { search: ListSearch; shown: number }) {
  const { records, total: all, isPart } = useSessions();
  const total = isPart ? all : records.size;
  const tags = useTags();
  const [tagId] = search.tag ?? [];
  const title =
    search.project !== undefined
      ? projectName(search.project)
      : search.favorites === true
        ? t("rail.favorites")
        : (search.tag?.length === 1 && tags.byId.get(tagId ?? "")?.name) || t("rail.sessions");
  useTitle(title);
  const count = shown === total ? t("list.count", { count: shown }) : t("list.count_of", { shown, total });
  return (
    <>
      <ScreenHeader
        title={title}
        className="pr-2!"
        actions={
          <>
            <output className="shrink-0 pr-1 text-faint text-xs tabular-nums">{count}</output>
            <FilterMenu search={search} />
            <ArrangeMenu search={search} />
          </>
        }
      />
      <div className="shrink-0 px-3 pb-2">
        <TextFilter text={search.q ?? ""} />
      </div>
    </>
  );
}

/** Input appears in the field immediately, in the URL and the list after a pause. */
function TextFilter({ text }: { text: string }) {
  const change = useChangeListSearch();
  const [typed, setTyped] = useState(text);
  const [told, setTold] = useState(text);
  // Changed from outside: by a link, or by navigating back.
  if (text !== told) {
    setTold(text);
    setTyped(text);
  }
  useEffect(() => {
    if (typed.trim() === told) return;
    const timer = setTimeout(() => {
      setTold(typed.trim());
      change({ q: typed.trim() || undefined }, { replace: true });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, told, change]);
  return (
    <Input
      id="list-filter"
      type="search"
      icon={Search}
      aria-label={t("list.filter")}
      placeholder={t("list.filter")}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onClear={() => setTyped("")}
      onKeyDown={(event) => {
        if (event.key !== "Escape" && event.key !== "ArrowDown") return;
        if (event.key === "Escape") setTyped("");
        document.querySelector<HTMLElement>("[role=grid]")?.focus();
      }}
    />
  );
}

const TYPING_MS = 120;

function FilterMenu({ search }: { search: ListSearch }) {
  const change = useChangeListSearch();
  const tags = useTags();
  const agents = useAgents();
  const { records } = useSessions();
  const models = useMemo(() => {
    const counts = new Map<string, number>();
    for (const record of records.values()) {
      for (const model of record.models) counts.set(model, (counts.get(model) ?? 0) + 1);
    }
    return [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_MODELS);
  }, [records]);
  const chosenTags = search.tag ?? [];
  return (
    <Menu trigger={<IconButton icon={ListFilter} label={t("list.filters")} />} align="end">
      <MenuCheck
        keepOpen
        checked={search.favorites === true}
        onCheckedChange={(checked) => change({ favorites: checked ? true : undefined })}
      >
        {t("list.only_favorites")}
      </MenuCheck>
      <MenuCheck
        keepOpen
        checked={search.live === true}
        onCheckedChange={(checked) => change({ live: checked ? true : undefined })}
      >
        {t("list.only_live")}
      </MenuCheck>
      <MenuSeparator />
      {tags.inOrder.length > 0 && (
        <SubMenu text={t("list.only_tag")}>
          {tags.inOrder.map(({ tag, depth }) => (
            <MenuCheck
              key={tag.id}
              keepOpen
              checked={chosenTags.includes(tag.id)}
              onCheckedChange={(checked) => {
                const others = chosenTags.filter((id) => id !== tag.id);
                const next = checked ? [...others, tag.id] : others;
                change({ tag: next.length === 0 ? undefined : next });
              }}
            >
              <span style={{ paddingLeft: depth * 12 }} />
              <TagDot color={tag.color} />
              {tag.name}
            </MenuCheck>
          ))}
        </SubMenu>
      )}
      {models.length > 0 && (
        <SubMenu text={t("list.only_model")}>
          {models.map(([model]) => (
            <MenuCheck
              key={model}
              checked={search.model === model}
              onCheckedChange={(checked) => change({ model: checked ? model : undefined })}
            >
              {model}
            </MenuCheck>
          ))}
        </SubMenu>
      )}
      {agents.length > 0 && (
        <SubMenu text={t("list.only_agent")}>
          {agents.map(({ format, name }) => (
            <MenuCheck
              key={format}
              checked={search.agent === format}
              onCheckedChange={(checked) => change({ agent: checked ? format : undefined })}
            >
              {name}
            </MenuCheck>
          ))}
        </SubMenu>
      )}
      <SubMenu text={t("list.period")}>
        <MenuChoice
          label={t("list.period")}
          value={search.since !== undefined && isPeriod(search.since) ? search.since : "any"}
          onChange={(since) => change({ since: since === "any" ? undefined : since, until: undefined })}
          options={[
            { value: "any", text: t("list.period_any") },
            ...PERIODS.map((period) => ({ value: period, text: sinceText(period) })),
          ]}
        />
      </SubMenu>
    </Menu>
  );
}

const MAX_MODELS = 30;

function ArrangeMenu({ search }: { search: ListSearch }) {
  const change = useChangeListSearch();
  return (
    <Menu trigger={<IconButton icon={ArrowDownWideNarrow} label={t("list.arrange")} />} align="end">
      <MenuChoice
        label={t("list.sort")}
        value={search.sort ?? "modified"}
        onChange={(sort) => change({ sort: sort === "modified" ? undefined : sort, order: undefined })}
        options={SORTS.map((sort) => ({ value: sort, text: t(`list.sort_${sort}`) }))}
      />
      <MenuSeparator />
      <MenuChoice
        label={t("list.order")}
        value={orderOf(search)}
        onChange={(order) => change({ order: order === usualOrder(search.sort) ? undefined : order })}
        options={[
          { value: "desc", text: t("list.order_desc") },
          { value: "asc", text: t("list.order_asc") },
        ]}
      />
      <MenuSeparator />
      <MenuChoice
        label={t("list.group")}
        value={search.group ?? "day"}
        onChange={(group) => change({ group: group === "day" ? undefined : group })}
        options={GROUPS.map((group) => ({ value: group, text: t(`list.group_${group}`) }))}
      />
    </Menu>
  );
}

import { useMemo } from "react";
import { useAgents } from "../client/agents.ts";
import { useIsHub } from "../client/hub.ts";
import { useSessions } from "../client/service-context.tsx";
import { useTags } from "../client/tags.ts";
import { TagDot } from "../design/chip.tsx";
import { MenuAt, MenuCheck, MenuChoice, MenuSeparator, SubMenu } from "../design/menu.tsx";
import type { MenuOfButton } from "../design/menu-button.tsx";
import { t } from "../i18n/text.ts";
import { isPeriod, PERIODS, sinceText } from "../url/periods.ts";
import type { ListSearch } from "./list-search.ts";
import { OwnerChoices } from "./owner-choices.tsx";
import { useChangeListSearch } from "./use-list-search.ts";

const MAX_MODELS = 30;

/** Chooses which sessions the list is of. */
export function FilterMenu({ search, ...menu }: MenuOfButton & { search: ListSearch }) {
  const change = useChangeListSearch();
  const tags = useTags();
  const agents = useAgents();
  const isHub = useIsHub();
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
    <MenuAt {...menu} align="end">
      <MenuCheck
        keepOpen
        checked={search.favorites === true}
        onCheckedChange={(checked) => change({ favorites: checked ? true : undefined })}
      >
        {t("list.only_favorites")}
      </MenuCheck>
      {!isHub && (
        <MenuCheck
          keepOpen
          checked={search.live === true}
          onCheckedChange={(checked) => change({ live: checked ? true : undefined })}
        >
          {t("list.only_live")}
        </MenuCheck>
      )}
      {isHub && <OwnerChoices search={search} onChange={change} />}
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
    </MenuAt>
  );
}

import { Archive } from "lucide-react";
import { useMayChange } from "../client/hub.ts";
import { MenuAt, MenuChoice, MenuItem, MenuSeparator } from "../design/menu.tsx";
import type { MenuOfButton } from "../design/menu-button.tsx";
import { t } from "../i18n/text.ts";
import { GROUPS, type ListSearch, orderOf, SORTS, usualOrder } from "./list-search.ts";
import { useChangeListSearch } from "./use-list-search.ts";

interface ArrangeMenuProps extends MenuOfButton {
  search: ListSearch;
  onArchiveOld(): void;
}

/** Sorts and groups the list. */
export function ArrangeMenu({ search, onArchiveOld, ...menu }: ArrangeMenuProps) {
  const change = useChangeListSearch();
  const mayChange = useMayChange();
  return (
    <MenuAt {...menu} align="end">
      <MenuChoice
        label={t("list.sort")}
        value={search.sort ?? "modified"}
        onChange={(sort) => {
          // Days in the order of their dearest session say nothing; other groups stay as they were chosen.
          const isByDay = search.group === undefined || search.group === "none";
          const isByTime = sort === "modified" || sort === "created";
          const group = isByDay ? { group: isByTime ? undefined : ("none" as const) } : {};
          change({ sort: sort === "modified" ? undefined : sort, order: undefined, ...group });
        }}
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
      {mayChange && (
        <>
          <MenuSeparator />
          <MenuItem icon={Archive} onSelect={onArchiveOld}>
            {t("list.archive_old")}…
          </MenuItem>
        </>
      )}
    </MenuAt>
  );
}

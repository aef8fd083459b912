import { usePreference } from "../browser/preference.ts";
import { MenuAt, MenuChoice } from "../design/menu.tsx";
import type { MenuOfButton } from "../design/menu-button.tsx";
import { t } from "../i18n/text.ts";
import { PROJECT_SORTS, projectSort } from "./project-choices.ts";

/** Sorts the projects of the navigation. */
export function ProjectMenu(menu: MenuOfButton) {
  const sort = usePreference(projectSort);
  return (
    <MenuAt {...menu} align="end">
      <MenuChoice
        label={t("list.sort")}
        value={sort}
        onChange={projectSort.set}
        options={PROJECT_SORTS.map((value) => ({ value, text: t(`rail.projects_${value}`) }))}
      />
    </MenuAt>
  );
}

import { MenuCheck, SubMenu } from "../design/menu.tsx";
import { useSharers } from "../hub/whose.ts";
import { t } from "../i18n/text.ts";
import type { ListSearch } from "./list-search.ts";

interface OwnerChoicesProps {
  search: ListSearch;
  onChange(change: { mine?: true | undefined; owner?: string | undefined }): void;
}

/** Whose sessions the list is of: one's own, or those of one who shares some. */
export function OwnerChoices({ search, onChange }: OwnerChoicesProps) {
  const owners = useSharers();
  return (
    <>
      <MenuCheck
        keepOpen
        checked={search.mine === true}
        onCheckedChange={(checked) => onChange({ mine: checked ? true : undefined, owner: undefined })}
      >
        {t("list.only_mine")}
      </MenuCheck>
      {owners.length > 0 && (
        <SubMenu text={t("list.only_owner")}>
          {owners.map((name) => (
            <MenuCheck
              key={name}
              checked={search.owner === name}
              onCheckedChange={(checked) => onChange({ owner: checked ? name : undefined, mine: undefined })}
            >
              {name}
            </MenuCheck>
          ))}
        </SubMenu>
      )}
    </>
  );
}

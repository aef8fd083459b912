import { FolderInput, Merge, Pencil, Trash2 } from "lucide-react";
import { useService } from "../../client/service-context.tsx";
import { type Tag, type TagTree, useTags } from "../../client/tags.ts";
import { TagDot } from "../../design/chip.tsx";
import { MenuAt, MenuChoice, MenuItem, type MenuPlace, MenuSeparator, SubMenu } from "../../design/menu.tsx";
import { t } from "../../i18n/text.ts";
import { useChangeListSearch, useListSearch } from "../../list/use-list-search.ts";
import { DeleteTagDialog } from "./delete-tag-dialog.tsx";
import { EditTagDialog } from "./edit-tag-dialog.tsx";
import { mergeTag, moveTag } from "./tag-actions.ts";

/** What is open for a tag. */
export type AskedOfTag = { id: string } & ({ what: "menu"; at: MenuPlace } | { what: "edit" | "delete" });

interface TagMenuProps {
  /** `null`: nothing. */
  asked: AskedOfTag | null;
  onAsk(asked: AskedOfTag | null): void;
}

/** What can be done with a tag: its menu, and the dialogs that lead from there. */
export function TagMenu({ asked, onAsk }: TagMenuProps) {
  const service = useService();
  const tags = useTags();
  const tag = asked === null ? undefined : tags.byId.get(asked.id);
  const search = useListSearch();
  const changeSearch = useChangeListSearch();
  const close = () => onAsk(null);

  async function merge(from: Tag, into: Tag | undefined): Promise<void> {
    if (into === undefined) return;
    const isMerged = await mergeTag(service, { tag: from, into, children: tags.children(from.id) });
    if (!isMerged || !search.tag?.includes(from.id)) return;
    const shown = search.tag.map((id) => (id === from.id ? into.id : id));
    changeSearch({ tag: [...new Set(shown)] }, { replace: true });
  }

  return (
    <>
      <MenuAt
        at={asked?.what === "menu" && tag !== undefined ? asked.at : null}
        onClose={close}
        label={t("list.menu_of", { title: tag?.name ?? "" })}
      >
        {tag !== undefined && (
          <>
            <MenuItem icon={Pencil} keys="f2" onSelect={() => onAsk({ id: tag.id, what: "edit" })}>
              {t("tags.edit")}
            </MenuItem>
            <SubMenu icon={FolderInput} text={t("tags.move")}>
              <ParentChoice
                tag={tag}
                tags={tags}
                onChoose={(parentId) => {
                  if (parentId !== tag.parent_id) void moveTag(service, tag, parentId);
                }}
              />
            </SubMenu>
            <SubMenu icon={Merge} text={t("tags.merge")}>
              <MenuChoice
                label={t("tags.merge")}
                value=""
                onChange={(into) => void merge(tag, tags.byId.get(into))}
                options={choicesBeside(tag, tags)}
              />
            </SubMenu>
            <MenuSeparator />
            <MenuItem icon={Trash2} keys="delete" isDanger onSelect={() => onAsk({ id: tag.id, what: "delete" })}>
              {t("tags.delete")}
            </MenuItem>
          </>
        )}
      </MenuAt>
      {asked?.what === "edit" && tag !== undefined && <EditTagDialog tag={tag} onClose={close} />}
      {asked?.what === "delete" && tag !== undefined && <DeleteTagDialog tag={tag} onClose={close} />}
    </>
  );
}

const TOP = "";

interface ParentChoiceProps {
  tag: Tag;
  tags: TagTree;
  onChoose(parentId: string | null): void;
}

/** Every tag that this one can be below, and the top level. */
function ParentChoice({ tag, tags, onChoose }: ParentChoiceProps) {
  return (
    <MenuChoice
      label={t("tags.below")}
      value={tag.parent_id ?? TOP}
      onChange={(value) => onChoose(value === TOP ? null : value)}
      options={[{ value: TOP, text: t("tags.top_level") }, ...choicesBeside(tag, tags)]}
    />
  );
}

/** All tags but one and those below it, as choices. */
function choicesBeside(tag: Tag, tags: TagTree) {
  const impossible = new Set([tag.id, ...tags.below(tag.id)]);
  const possible = tags.inOrder.filter(({ tag: { id } }) => !impossible.has(id));
  return possible.map(({ tag: { id, name, color }, depth }) => ({
    value: id,
    text: (
      <>
        <span style={{ paddingLeft: depth * 12 }} />
        <TagDot color={color} />
        <span className="min-w-0 truncate">{name}</span>
      </>
    ),
  }));
}

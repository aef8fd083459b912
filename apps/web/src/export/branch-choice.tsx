import { useQuery } from "@tanstack/react-query";
import { commandQuery } from "../client/commands.ts";
import { useService } from "../client/service-context.tsx";
import { Select } from "../design/choices.tsx";
import { Field } from "../design/input.tsx";
import { t } from "../i18n/text.ts";

/** All branches, or what the format has where none is named. */
const USUAL = "usual";
/** Branches that can be chosen here; the transcript shows any other. */
const MAX_BRANCHES = 50;
const MAX_PREVIEW_LENGTH = 48;

interface BranchChoiceProps {
  path: string;
  /** `null`: what the format has usually. */
  leafId: string | null;
  /** Whether the format has all branches usually, else the newest one. */
  isWhole: boolean;
  onChange(leafId: string | null): void;
}

/** Which branch of a session is exported. Nothing to choose where there is one only. */
export function BranchChoice({ path, leafId, isWhole, onChange }: BranchChoiceProps) {
  const service = useService();
  const { data: page } = useQuery(commandQuery(service, "read_session_entries", { path, limit: 1 }));
  const leaves = [...(page?.leaves ?? [])].reverse();
  const { data: tree } = useQuery({
    ...commandQuery(service, "read_session_tree", { path }),
    enabled: leaves.length > 1,
  });
  if (leaves.length <= 1 && leafId === null) return null;
  const newest = page?.leaf_id ?? null;
  const previews = new Map(tree?.map(({ id, preview }) => [id, preview]));
  const named = [newest, leafId, ...leaves].filter((id) => id !== null);
  const branches = [...new Set(named)].slice(0, MAX_BRANCHES);
  return (
    <Field label={t("export.branch")}>
      {({ id }) => (
        <Select
          id={id}
          className="w-full"
          value={leafId ?? USUAL}
          options={[
            { value: USUAL, text: t(isWhole ? "export.branch_all" : "export.branch_newest") },
            ...branches.map((leaf) => ({
              value: leaf,
              text: `${leaf === newest ? `${t("export.branch_newest")}: ` : ""}${shorten(previews.get(leaf) ?? "") || leaf}`,
            })),
          ]}
          onChange={(leaf) => onChange(leaf === USUAL ? null : leaf)}
        />
      )}
    </Field>
  );
}

function shorten(text: string): string {
  return text.length > MAX_PREVIEW_LENGTH ? `${text.slice(0, MAX_PREVIEW_LENGTH)}…` : text;
}

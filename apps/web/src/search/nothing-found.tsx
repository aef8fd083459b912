import { SearchX } from "lucide-react";
import { useSessions } from "../client/service-context.tsx";
import { Button } from "../design/button.tsx";
import { EmptyState } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import { fieldsIn, isFoundBy, nearestFirst, type QueryField, type ValueField, withFieldValue } from "./query-fields.ts";
import { hasFacets, NO_FACETS, type SearchChange, type SearchState } from "./search-state.ts";
import { type FieldValue, useFieldValues } from "./use-field-values.ts";

/** One word, without any sign of the language. */
const WORD = /^[\p{L}\p{N}_]{3,}$/u;

/** Values that are offered instead of one that does not exist. */
const MAX_OFFERED = 6;

const NO_SUCH: {
  readonly [Field in ValueField]?:
    | "search.no_tool"
    | "search.no_project"
    | "search.no_model"
    | "search.no_tag"
    | "search.no_agent";
} = {
  tool: "search.no_tool",
  project: "search.no_project",
  model: "search.no_model",
  tag: "search.no_tag",
  agent: "search.no_agent",
};

/** Says what may be wrong with a search that finds nothing, and offers what may find something. */
export function NothingFound({ state, onChange }: { state: SearchState; onChange(change: SearchChange): void }) {
  const q = state.q?.trim() ?? "";
  const unknown = useUnknownField(q);
  const offered =
    unknown === null
      ? []
      : nearestFirst(unknown.values, unknown.field.value, ({ value }) => value).slice(0, MAX_OFFERED);
  const noSuch = unknown === null ? undefined : NO_SUCH[unknown.field.field];
  return (
    <EmptyState
      icon={SearchX}
      title={t("search.none")}
      actions={
        <>
          {unknown !== null &&
            offered.map(({ value }) => (
              <Button key={value} onClick={() => onChange({ q: withFieldValue(q, unknown.field, value) })}>
                {`${unknown.field.field}:${value}`}
              </Button>
            ))}
          {hasFacets(state) && <Button onClick={() => onChange(NO_FACETS)}>{t("list.clear_filters")}</Button>}
          {WORD.test(q) && (
            <>
              <Button onClick={() => onChange({ q: `${q}*` })}>{t("search.try_beginning", { query: q })}</Button>
              <Button onClick={() => onChange({ q: `~${q}` })}>{t("search.try_substring", { query: q })}</Button>
            </>
          )}
        </>
      }
    >
      {unknown !== null && noSuch !== undefined
        ? `${t(noSuch, { value: unknown.field.value })} ${offered.length === 0 ? "" : t("search.there_are")}`.trim()
        : t("search.none_text")}
    </EmptyState>
  );
}

/** The first field of a query with a value that nothing has. */
function useUnknownField(query: string): { field: QueryField; values: readonly FieldValue[] } | null {
  const fields = fieldsIn(query);
  const { isPart } = useSessions();
  const ofTool = useFieldValues(fields.some(({ field }) => field === "tool") ? "tool" : null);
  const values = {
    tool: ofTool,
    project: useFieldValues("project"),
    model: useFieldValues("model"),
    tag: useFieldValues("tag"),
    agent: useFieldValues("agent"),
  };
  for (const field of fields) {
    if (!(field.field in values) || field.value === "") continue;
    // Models and agents are counted in the sessions that are here.
    if (isPart && (field.field === "model" || field.field === "agent")) continue;
    const known = values[field.field as keyof typeof values];
    if (known !== null && !known.some(({ value, whole = value }) => isFoundBy(field, whole))) {
      return { field, values: known };
    }
  }
  return null;
}

import { Checkbox } from "../design/checkbox.tsx";
import { t } from "../i18n/text.ts";
import type { ExportOptions } from "./export-options.ts";

interface IncludedPartsProps {
  options: ExportOptions;
  onChange(changed: Partial<ExportOptions>): void;
}

/** Which parts of a session are exported or shared. */
export function IncludedParts({ options, onChange }: IncludedPartsProps) {
  return (
    <>
      <Checkbox checked={options.thinking} onCheckedChange={(thinking) => onChange({ thinking })}>
        {t("export.thinking")}
      </Checkbox>
      <Checkbox checked={options.tools} onCheckedChange={(tools) => onChange({ tools })}>
        {t("export.tools")}
      </Checkbox>
      <Checkbox checked={options.notes} onCheckedChange={(notes) => onChange({ notes })}>
        {t("export.notes")}
      </Checkbox>
    </>
  );
}

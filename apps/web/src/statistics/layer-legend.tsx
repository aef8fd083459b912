import { classNames } from "../design/class-names.ts";
import { t } from "../i18n/text.ts";
import { LAYER_CLASSES, type Layer } from "./layers.ts";

interface LayerLegendProps {
  layers: readonly Layer[];
  leftOut: readonly string[];
  onToggle(key: string): void;
}

/** What the colours of a chart mean. Each can be left out. */
export function LayerLegend({ layers, leftOut, onToggle }: LayerLegendProps) {
  return (
    <fieldset className="flex flex-wrap justify-end gap-x-1 gap-y-1">
      <legend className="sr-only">{t("statistics.legend")}</legend>
      {/* The uppermost first, as they are read in the chart. */}
      {layers.toReversed().map(({ key, name, title, color }) => {
        const isShown = !leftOut.includes(key);
        return (
          <button
            key={key}
            type="button"
            aria-pressed={isShown}
            title={title}
            onClick={() => onToggle(key)}
            className={classNames(
              "flex min-h-6 max-w-60 items-center gap-1.5 rounded-sm px-1.5 text-xs hover:bg-hover touch:min-h-11",
              isShown ? "text-muted" : "text-faint line-through",
            )}
          >
            <span
              aria-hidden
              className={classNames(
                "size-3 shrink-0 rounded-[3px]",
                isShown ? LAYER_CLASSES[color] : "outline-1 outline-line-strong -outline-offset-1",
              )}
            />
            <span className="truncate">{name}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

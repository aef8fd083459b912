import { keyCaps } from "../shortcuts/keys.ts";
import { classNames } from "./class-names.ts";

/** Shows keys as caps: `<Keys keys="mod+k" />`, `<Keys keys="g l" />`. */
export function Keys({ keys, className }: { keys: string; className?: string }) {
  return (
    <span className={classNames("inline-flex shrink-0 items-center gap-1", className)}>
      {keyCaps(keys).map((cap, index) => (
        // Caps never move.
        // biome-ignore lint/suspicious/noArrayIndexKey: "g g" has the same cap twice
        <kbd key={index} className="min-w-5 rounded-sm bg-press px-1 text-center font-sans text-xs text-muted">
          {cap}
        </kbd>
      ))}
    </span>
  );
}

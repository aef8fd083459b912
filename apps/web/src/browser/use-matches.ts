import { useCallback, useSyncExternalStore } from "react";

/** Follows whether a media query holds; `null` never does. */
export function useMatches(query: string | null): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = query === null ? null : matchMedia(query);
      list?.addEventListener("change", listener);
      return () => list?.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => query !== null && matchMedia(query).matches);
}

/** Tells whether the window is so narrow that it shows one pane at a time; as `phone:` in styles. */
export const useIsPhone = () => useMatches("(width < 700px)");

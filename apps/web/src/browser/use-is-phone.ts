import { useSyncExternalStore } from "react";

/** As `phone:` in styles. */
const phone = () => matchMedia("(width < 700px)");

/** Tells whether the window is so narrow that it shows one pane at a time. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = phone();
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => phone().matches,
  );
}

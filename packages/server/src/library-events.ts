import type { LibraryEvent } from "@sm/core";
import type { EventBus } from "@sm/router/events";

/** Publishes a library event to subscribers. @param atLeast see `EventBus.publish`. */
export function publishLibraryEvent(
  event: LibraryEvent,
  bus: Pick<EventBus, "publish" | "markLost">,
  atLeast?: number,
): void {
  if (event.type === "changes-lost") bus.markLost();
  else if (event.type === "files-changed") {
    const { changed_paths, removed_paths } = event;
    bus.publish("session-changed", { changed_paths, removed_paths }, atLeast);
  } else {
    const { added, updated, removed } = event;
    bus.publish("sessions-diff", { added, updated, removed }, atLeast);
  }
}

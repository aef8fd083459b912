import { lookAtResources, type ResourceKind } from "@sm/agent/resources";
import type { Library } from "@sm/core/node";
import type { EventBus } from "@sm/router/events";
import type { Followed } from "./edits/edits.ts";

export interface ResourceEditsOptions {
  agentDir: string;
  home: string;
  library: Pick<Library, "projects">;
  bus: Pick<EventBus, "publish">;
}

/** Publishes edits of skills, prompts and themes, and of the settings that select them. */
export function followResources({ agentDir, home, library, bus }: ResourceEditsOptions): Followed {
  return {
    async look() {
      const kinds = await lookAtResources({ agentDir, home, projects: () => library.projects() });
      const entries = Object.entries(kinds);
      return {
        folders: entries.flatMap(([, { folders }]) => [...folders]),
        stamps: Object.fromEntries(entries.map(([kind, { stamp }]) => [kind, stamp])),
      };
    },
    onEdit: (kinds) => bus.publish("resources-changed", { kinds: kinds as ResourceKind[] }),
  };
}

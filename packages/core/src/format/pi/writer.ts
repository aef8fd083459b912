import type { AppendPosition, SessionWriter } from "../format.ts";

/** See `SessionFormat.writer`. */
export const piWriter: SessionWriter = {
  nameLine(name, position) {
    return { type: "session_info", ...placeOf(position), name };
  },

  labelLine({ targetId, label }, position) {
    return { type: "label", ...placeOf(position), targetId, label: label ?? undefined };
  },

  dataLine(customType, data, position) {
    return { type: "custom", ...placeOf(position), customType, data };
  },

  forkHeader({ header, hasTree }, { id, timestamp, path }) {
    const { version, cwd, provider, modelId, thinkingLevel } = header ?? { version: 3 };
    // Version 1 has no version field; its header has the model instead of entries for it.
    const settings = hasTree ? { version: version ?? 3 } : { provider, modelId, thinkingLevel };
    return hasTree
      ? { type: "session", ...settings, id, timestamp, cwd, parentSession: path }
      : { type: "session", id, timestamp, cwd, ...settings, parentSession: path };
  },
};

function placeOf({ tree, timestamp }: AppendPosition) {
  return tree === null ? { timestamp } : { id: tree.id, parentId: tree.parentId, timestamp };
}

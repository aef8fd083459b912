import { unlink } from "node:fs/promises";
import { vi } from "vitest";

// What is deleted in unit tests must not land in the trash of whoever runs them.
vi.mock("./src/node/files/trash.ts", () => ({
  deleteRecoverably: async (path) => {
    await unlink(path);
    return "trash";
  },
}));

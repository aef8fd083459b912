import { rm, unlink } from "node:fs/promises";
import { vi } from "vitest";
import { fileError } from "./src/node/files/file-errors.ts";

// What is deleted in unit tests must not land in the trash of whoever runs them.
vi.mock("./src/node/files/trash.ts", () => ({
  async deleteRecoverably(path) {
    try {
      await unlink(path);
    } catch (error) {
      throw fileError(error, "write", path) ?? error;
    }
    return "trash";
  },
  async deleteAlong(path) {
    await rm(path, { recursive: true });
  },
}));

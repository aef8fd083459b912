import { expect, it, vi } from "vitest";
import { shortTasks } from "./short-tasks.ts";

it("lets others have their turn once the work has taken long enough, and not before", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const pause = shortTasks();
  let turns = 0;
  setTimeout(() => turns++);
  for (let piece = 0; piece < 100; piece++) await pause();
  expect(turns).toBe(0);
  now.mockReturnValue(10);
  await pause();
  expect(turns).toBe(1);
  now.mockRestore();
});

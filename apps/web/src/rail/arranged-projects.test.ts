import { expect, it } from "vitest";
import { arrangeProjects } from "./arranged-projects.ts";

const PROJECTS = [
  { cwd: "/home/me/tides", count: 2 },
  { cwd: "/home/me/app 10", count: 9 },
  { cwd: "/code/App 9", count: 5 },
  { cwd: "/code/clock", count: 1 },
];

const arrange = (change: Partial<Parameters<typeof arrangeProjects>[1]>) =>
  arrangeProjects(PROJECTS, {
    pinned: [],
    sort: "recent",
    filter: "",
    nameOf: (cwd) => cwd.split("/").at(-1) ?? cwd,
    ...change,
  }).map(({ name, isPinned }) => (isPinned ? `* ${name}` : name));

it.each([
  [{}, ["tides", "app 10", "App 9", "clock"]],
  [{ sort: "name" as const }, ["App 9", "app 10", "clock", "tides"]],
  [{ sort: "sessions" as const }, ["app 10", "App 9", "tides", "clock"]],
  [{ pinned: ["/code/clock", "/gone", "/home/me/tides"] }, ["* clock", "* tides", "app 10", "App 9"]],
  [{ filter: "APP code" }, ["App 9"]],
  [{ filter: " " }, ["tides", "app 10", "App 9", "clock"]],
])("%j", (change, names) => expect(arrange(change)).toEqual(names));

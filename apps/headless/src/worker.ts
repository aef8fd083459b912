import { loadBundle } from "./load-bundle.ts";

// Entry point of the library's worker threads.
loadBundle("tasks.cjs");

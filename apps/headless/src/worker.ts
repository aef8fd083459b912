import { loadBundle } from "./bundle.ts";

// What the library starts as a worker thread.
loadBundle("tasks.cjs");

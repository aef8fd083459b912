#!/usr/bin/env node
import { newWorker } from "@sm/server/early";
import { loadBundle } from "./bundle.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

// A worker takes as long to start as the program to load, and a machine has two cores. Subcommands need none; where a
// flag's value has the name of one, it comes later.
const isServing = !process.argv.some((argument) => SUBCOMMANDS.has(argument));
const spareWorker = isServing ? newWorker() : null;
const { run } = loadBundle("program.cjs") as typeof import("./run.ts");
void run(spareWorker);

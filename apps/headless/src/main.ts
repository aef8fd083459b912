#!/usr/bin/env node
import { newWorker } from "@sm/server/early";
import { loadBundle } from "./load-bundle.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

// Started early: a worker takes as long to start as the program to load, and most machines have several cores.
// Subcommands need none; a subcommand name among option values only delays the worker.
const isServing = !process.argv.some((argument) => SUBCOMMANDS.has(argument));
const spareWorker = isServing ? newWorker() : null;
const { run } = loadBundle("program.cjs") as typeof import("./run.ts");
void run(spareWorker);

#!/usr/bin/env node
import { startSpareWorker } from "@sm/server/early";

// Two things take their time, and a machine has two cores: the worker starts while everything else is loaded.
startSpareWorker();
const { run } = await import("./run.ts");
await run();

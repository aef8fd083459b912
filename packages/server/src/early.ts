/** What a program may do before it loads anything else. */
export { startSpareWorker } from "@sm/core/threads";

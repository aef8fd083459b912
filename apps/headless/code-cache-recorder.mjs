import { readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import v8 from "node:v8";
import vm from "node:vm";
import { BroadcastChannel, isMainThread, threadId } from "node:worker_threads";
import { crc32 } from "node:zlib";

// Comes before the program in each of its threads, see code-cache.mjs: when it is told, it keeps what V8 has compiled of
// the main thread's bundle, and of the bundle of the first worker, which reads the first page.

const channel = new BroadcastChannel("code-cache");
channel.unref();

let record;
const { Script } = vm;
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    record = () => writeCache(options.filename, this.createCachedData());
  }
};

function writeCache(path, compiled) {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(compiled, crc32(readFileSync(path))));
  writeFileSync(`${path}.cache`, Buffer.concat([compiled, checksum]));
}

// V8 takes what is compiled under the settings that it had when that was kept: its own, which a start begins with.
v8.setFlagsFromString = () => undefined;
syncBuiltinESMExports();

if (isMainThread) {
  process.once("message", () => channel.postMessage("record"));
  channel.onmessage = () => {
    record();
    process.send("recorded");
  };
} else if (threadId === 1) {
  channel.onmessage = () => {
    record();
    channel.postMessage("recorded");
  };
}

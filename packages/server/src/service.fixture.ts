import { readSettings } from "./settings.ts";
import { startServer } from "./start.ts";

// Starts the service on a folder with all that it has, as a process whose memory can be bounded and counted. The one
// line that it prints is its address.

const [folder = ""] = process.argv.slice(2);
const settings = readSettings({ "config-dir": folder, "data-dir": `${folder}/data`, "agent-home": folder }, {});
const { url } = await startServer({ version: "1.2.3", settings, output: process.stderr });
process.stdout.write(`${url}\n`);

import { mkdir, realpath, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { type AgentVersion, installAgent } from "./agents/real-agent.ts";
import { type FakeModel, startFakeModel } from "./fake-model.ts";
import { type RealService, type RealServiceOptions, startRealService } from "./real-service.ts";

const { PATH } = process.env;
/** What the agent needs to know in tests, and what the service hands on to it. */
const AGENT_ENV = { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" };

/** An extension of the agent with a tool that asks the user, and a command that does nothing. */
const ASKING = `
export default (pi) => {
  pi.registerCommand("nothing", { description: "Does nothing", handler: async () => {} });
  pi.registerTool({
    name: "ask",
    label: "Ask",
    description: "Asks the user a question",
    parameters: { type: "object", properties: { question: { type: "string" } }, required: ["question"] },
    async execute(id, { question }, signal, update, context) {
      const isSure = await context.ui.confirm(question, "Are you sure?");
      return { content: [{ type: "text", text: isSure ? "yes" : "no" }], details: {} };
    },
  });
};
`;

/** The whole service with the real agent, whose model does what a prompt says. */
export interface LiveService extends AsyncDisposable {
  service: RealService;
  model: FakeModel;
  /** Where agents work, an empty folder. */
  project: string;
}

/** Starts a service whose agents, of this release, use a model of the test's own. */
export async function startLiveService(
  options: RealServiceOptions = {},
  version: AgentVersion = "0.74.2",
): Promise<LiveService> {
  const { programs } = await installAgent(version);
  Object.assign(process.env, AGENT_ENV, { PATH: `${programs}${delimiter}${PATH}` });
  const model = await startFakeModel();
  const service = await startRealService(options);
  const agentDir = join(service.home.folder, "agent");
  const project = join(await realpath(service.home.folder), "project");
  await mkdir(project);
  await mkdir(join(agentDir, "extensions"));
  await writeFile(join(agentDir, "models.json"), JSON.stringify(model.config));
  await writeFile(join(agentDir, "extensions", "ask.ts"), ASKING);
  return {
    service,
    model,
    project,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      // Other files of the worker know no agent.
      process.env.PATH = PATH;
    },
  };
}

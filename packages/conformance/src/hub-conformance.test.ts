import { needsPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { describeCommands, type Place } from "./command-suite.ts";
import { FAKE_AGENT } from "./program-cases.ts";
import { type RealHub, startRealHub } from "./real-hub.ts";
import { type RealService, SHARING, SUGGESTS_PROXY, startRealService } from "./real-service.ts";
import { http, rawTransports } from "./transports.ts";

/** The case of add_push_device has one whose push service is nowhere, and agents change meanwhile. */
const UNREACHABLE_DEVICE = "A notification could not be sent.";

describe.runIf(needsPostgres())("a hub answers as a service at home", () => {
  let home: RealService;
  let hub: RealHub;
  let places: Place[];

  beforeAll(async () => {
    home = await startRealService({
      config: { agent_command: FAKE_AGENT, ...SHARING },
      expectedProblems: [SUGGESTS_PROXY, UNREACHABLE_DEVICE],
    });
    hub = await startRealHub();
    places = [{ transport: http, service: home, owner: "owner", machineId: null }];
    // That all transports answer the same, whatever the services, is tested at home.
    for (const [number, transport] of rawTransports.slice(0, 2).entries()) {
      const service = await hub.newService(`user ${number}`, transport);
      places.push({ transport, service, owner: { token: service.token }, machineId: service.machine.id });
    }
    await vi.waitFor(async () => expect(await home.ask("list_config_versions")).toHaveLength(1), 30_000);
  });

  afterAll(async () => {
    await home[Symbol.asyncDispose]();
    await hub[Symbol.asyncDispose]();
  });

  describeCommands(() => places);
});

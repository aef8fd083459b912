import { type MachinesTask, SimulatedMachines } from "../hub/simulated-machines.ts";

// Simulated machines of one user, which do what they are told one after the other.

/** What they are told. */
export type MachinesOrder = { open: MachinesTask } | { write: number } | "pending" | "expected" | "close";

let machines: SimulatedMachines | null = null;

async function follow(order: MachinesOrder): Promise<unknown> {
  if (typeof order === "object" && "open" in order) {
    machines = new SimulatedMachines(order.open);
    return machines.begin();
  }
  if (machines === null) throw new Error("There are no machines yet.");
  if (order === "pending") return machines.pending();
  if (order === "expected") return machines.expected();
  if (order === "close") return machines.close();
  await machines.write(order.write);
  return machines.written;
}

process.on("message", (order: MachinesOrder) => {
  follow(order).then(
    (done) => process.send?.({ done: done ?? null }),
    (error: unknown) => process.send?.({ failed: error instanceof Error ? error.stack : String(error) }),
  );
});
// Nothing is left of them when whoever has started them is gone.
process.on("disconnect", () => process.exit(0));

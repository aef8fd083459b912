import { serve } from "@hono/node-server";
import { Hono } from "hono";

// What the framework alone can do: reads the request as JSON and answers what `ping` answers, without any check.
const app = new Hono();
app.post("/api", async (context) => {
  await context.req.json();
  return context.json({ success: true, data: { pong: true }, error: null });
});
const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`);
});
process.once("SIGTERM", () => server.close(() => process.exit(0)));

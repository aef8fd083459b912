import { SessionWriter } from "../session-writer.ts";
import { SONNET } from "./models.ts";

/** A bar chart of 200 by 120 pixels whose legend lies over the bars. PNG in base64. */
const CHART_SCREENSHOT =
  "iVBORw0KGgoAAAANSUhEUgAAAMgAAAB4BAMAAABFvKDYAAAAFVBMVEX6+vfe4uZAkWyV1bLpoExJUFf///9FxvGOAAAA9UlEQVR42u3XTQ7CIBAF" +
  "YDYewBtUTFxrSDwBcd0u6g30/kcQU41/bejAQB14LzGZ1XyRKXVUCkGQGtMCAQKkIqRbJwlmAqQypCclEDlfCbkAKQnRWu9KQtwtGP3IQ0qYiYh7" +
  "4t9WaEjgtpLruIwxx5lIIwGZuozvl1IGIngm7m2iG+IjDCQTYq09lYT4fnr/DBkaJz6u5RDuRzgW2br33L5c5HtbuTfefNR05ODbVn6/Ce2PaeBx" +
  "vepngzl1pQilcSUI1xyAAAEiEQltDIQH6UY2lMfGEVNjJgwIR2MgQIAAyYX0aaIQAVkNw2o562UQBEGQ6NwA52JfBmbheGYAAAAASUVORK5CYII=";

/** A question about an image. */
export function gardenPlanner(startedAt: number): SessionWriter {
  const session = new SessionWriter({ cwd: "/home/ada/projects/garden-planner", startedAt, model: SONNET });
  session.user(
    "On a phone the legend of the harvest chart covers half of the bars, see the screenshot. Please put it below the chart.",
    CHART_SCREENSHOT,
  );
  session.assistant({
    before:
      "I see it: the legend is placed inside the plot, at a fixed distance from the right, so on a narrow screen it lies " +
      "over June to August. Let me look at the chart's options.",
    tools: [
      {
        name: "read",
        arguments: { path: "src/charts/harvest.ts" },
        output: [
          "export const harvestChart: ChartOptions = {",
          '  type: "bar",',
          "  data: monthlyHarvest,",
          "  options: {",
          '    plugins: { legend: { position: "chartArea", align: "end" } },',
          "    responsive: true,",
          "  },",
          "};",
          "",
        ].join("\n"),
      },
      {
        name: "edit",
        arguments: {
          path: "src/charts/harvest.ts",
          edits: [
            {
              oldText: 'legend: { position: "chartArea", align: "end" }',
              newText: 'legend: { position: "bottom", align: "start" }',
            },
          ],
        },
        output: "Successfully replaced 1 block(s) in src/charts/harvest.ts.",
        diff: [
          " 3   data: monthlyHarvest,",
          " 4   options: {",
          '-5     plugins: { legend: { position: "chartArea", align: "end" } },',
          '+5     plugins: { legend: { position: "bottom", align: "start" } },',
          " 6     responsive: true,",
        ].join("\n"),
      },
    ],
    text:
      "The legend now stands **below** the chart, from the left, at every width. That costs the plot about 24 px of height " +
      "on a phone; the bars stay readable down to 320 px.",
  });
  session.user("Lovely. Are the two greens far enough apart for colour-blind people?");
  session.assistant({
    thinking: "Same hue, so only lightness separates them. Contrast of #40916c to #95d5b2 is about 2.3 to 1.",
    text:
      "They differ in lightness only, with a contrast of about 2.3 : 1, and 3 : 1 is what graphics should have. `#2d6a4f` " +
      "instead of `#40916c` brings it to 3.8 : 1 and still looks like your garden. Shall I change it?",
  });
  session.user("Yes, do that too.");
  session.assistant({
    tools: [
      {
        name: "bash",
        arguments: { command: "sed -i 's/#40916c/#2d6a4f/' src/charts/palette.ts && git diff --stat" },
        output:
          " src/charts/harvest.ts | 2 +-\n src/charts/palette.ts | 2 +-\n 2 files changed, 2 insertions(+), 2 deletions(-)\n",
      },
    ],
    text: "Changed. Both edits are in the working tree, nothing is committed yet.",
  });
  return session;
}

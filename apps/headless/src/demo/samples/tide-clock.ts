import { SessionWriter } from "../session-writer.ts";
import { CODEX } from "./models.ts";

/** One question answered on three branches, with labels. */
export function tideClock(startedAt: number): { session: SessionWriter; polling: string } {
  const session = new SessionWriter({ cwd: "/home/ada/projects/tide-clock", startedAt, model: CODEX });
  session.user(
    "The clock on the wall should follow the harbour's tide gauge within a minute. The gauge has a JSON endpoint and an " +
      "event stream. The clock is an ESP32 with patchy Wi-Fi. What would you build?",
  );
  const question = session.assistant({
    thinking:
      "Constraints: memory of an ESP32, Wi-Fi that drops, a value that changes slowly. Three candidates: polling, the " +
      "event stream, MQTT through a broker. It is worth trying two before choosing.",
    tools: [
      {
        name: "bash",
        arguments: { command: "curl -s https://gauge.example.org/v1/level | head -c 300" },
        output: '{"station":"north-quay","level_m":2.41,"trend":"rising","measured_at":"2025-03-04T08:12:00Z"}\n',
      },
    ],
    text:
      "Two designs are worth trying:\n\n1. **Polling** once a minute: stateless, survives a lost network without any code.\n" +
      "2. **The event stream**: fresher, but the clock must notice a connection that is silently dead.\n\n" +
      "Shall I sketch both on branches so that you can compare?",
  });

  session.user("Yes. Start with the event stream.");
  const stream = session.assistant({
    before: "Here is the smallest version with a watchdog for silent connections.",
    tools: [
      {
        name: "write",
        arguments: {
          path: "src/stream.cpp",
          content: [
            "// The gauge sends a comment line every 15 s; 40 s of silence means that the connection is dead.",
            "constexpr uint32_t SILENCE_MS = 40'000;",
            "",
            "void TideStream::loop() {",
            "  while (client.available()) parser.feed(client.read()), lastByte = millis();",
            "  if (millis() - lastByte > SILENCE_MS) reconnect();",
            "}",
            "",
          ].join("\n"),
        },
        output: "Successfully wrote 331 bytes to src/stream.cpp",
      },
      {
        name: "bash",
        arguments: { command: "pio run -e esp32dev 2>&1 | tail -4" },
        output:
          "RAM:   [==        ]  18.9% (used 61924 bytes from 327680 bytes)\n" +
          "Flash: [=======   ]  71.2% (used 933112 bytes from 1310720 bytes)\n========= [SUCCESS] Took 21.07 seconds =========\n",
      },
    ],
    text: "It builds: 62 KB of RAM, most of it TLS that stays open. The watchdog is the part that I would test longest.",
  });
  session.label(stream, "event stream builds");

  session.returnTo(
    question,
    "The event stream was tried: it works with a 40 s watchdog, costs 62 KB of RAM because TLS stays open, and needs " +
      "long tests of dead connections.",
  );
  session.user("And now polling, please.");
  const polling = session.assistant({
    tools: [
      {
        name: "write",
        arguments: {
          path: "src/poll.cpp",
          content: [
            "void TidePoll::loop() {",
            "  if (millis() - lastPoll < 60'000) return;",
            "  lastPoll = millis();",
            "  // A failed request changes nothing: the hand stays where it is.",
            "  if (auto level = fetchLevel()) hand.moveTo(*level);",
            "}",
            "",
          ].join("\n"),
        },
        output: "Successfully wrote 248 bytes to src/poll.cpp",
      },
      {
        name: "bash",
        arguments: { command: "pio run -e esp32dev 2>&1 | tail -4" },
        output:
          "RAM:   [=         ]  13.1% (used 43020 bytes from 327680 bytes)\n" +
          "Flash: [======    ]  66.8% (used 875904 bytes from 1310720 bytes)\n========= [SUCCESS] Took 20.41 seconds =========\n",
      },
    ],
    text:
      "Six lines, 43 KB of RAM, and nothing to watch over. The tide moves at most 2 cm a minute here, less than the width " +
      "of the hand, so a minute of delay cannot be seen.\n\n**I would take polling.**",
  });
  session.label(polling, "polling: chosen");
  session.user("Convinced. Merge polling and delete the stream code.");
  session.assistant({
    tools: [
      {
        name: "bash",
        arguments: {
          command: "rm src/stream.cpp && git add -A && git commit -qm 'Poll the gauge'",
        },
        output: "",
      },
    ],
    text: "Done. The branch with the event stream stays in this session, should you ever want it back.",
  });

  session.returnTo(polling, "Polling was merged and the code for the event stream removed.");
  session.user("One more thought: what if the gauge is down for a day?");
  session.assistant({
    text:
      "Then the hand stands still and lies. Tides can be predicted, though: with the four largest harmonic constituents " +
      "(M2, S2, N2, K1) of your harbour the clock can carry on for weeks, within about 15 cm. I would move the hand by " +
      "prediction after an hour without data and light the small red LED.",
  });
  return { session, polling };
}

/** A second session that continues the chosen branch of the first. */
export function tidePrediction(
  source: SessionWriter,
  polling: string,
  startedAt: number,
  sourcePath: string,
): SessionWriter {
  const session = source.fork(polling, startedAt, sourcePath);
  session.user("Let us do the prediction for days without the gauge. Four constituents are enough.");
  session.assistant({
    thinking: "h(t) = h0 + sum of A·cos(ω·t − φ). Float precision: t in hours since 2025, not since 1970.",
    tools: [
      {
        name: "write",
        arguments: {
          path: "src/predict.cpp",
          content: [
            "// Amplitudes in metres and phases in degrees for North Quay; speeds in degrees an hour.",
            "constexpr Constituent TIDE[] = {",
            '  {"M2", 28.9841, 1.32f, 114.2f}, {"S2", 30.0000, 0.44f, 158.9f},',
            '  {"N2", 28.4397, 0.26f, 92.7f}, {"K1", 15.0411, 0.07f, 131.5f},',
            "};",
            "",
            "float predict(double hoursSince2025) {",
            "  float level = MEAN_LEVEL_M;",
            "  for (auto& c : TIDE) level += c.amplitude * cosDegrees(c.speed * hoursSince2025 - c.phase);",
            "  return level;",
            "}",
            "",
          ].join("\n"),
        },
        output: "Successfully wrote 486 bytes to src/predict.cpp",
      },
      {
        name: "bash",
        arguments: { command: "pio test -e native --filter test_predict" },
        output: "test/test_predict.cpp:31: test_january_2025 [PASSED]\n1 test cases: 1 succeeded in 00:00:02.310\n",
      },
    ],
    text: "Against the gauge's own January the prediction is off by 9 cm on average and 21 cm at worst, in one storm.",
  });
  session.name("Tide prediction for the wall clock");
  return session;
}

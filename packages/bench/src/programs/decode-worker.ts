import { workThroughLines } from "../measure/worker.ts";

// The limit of reading sessions in JavaScript: every line is decoded and parsed, and nothing else is done.
workThroughLines(() => {
  let lines = 0;
  return {
    onLine(line) {
      JSON.parse(line);
      lines++;
    },
    finish: () => lines,
  };
});

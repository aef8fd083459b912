import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage, type PageOptions } from "../page.fixture.tsx";
import { statisticsOf } from "./usage.fixture.ts";

const open = (options: PageOptions) =>
  openPage("/statistics", { ...options, answers: { get_session_stats: statisticsOf([]) } });

it("without any session no other period is offered", async () => {
  await open({});
  await screen.findByText("No sessions yet");
  screen.getByText("Statistics appear here as soon as your coding agent has written a session.");
  expect(screen.queryByRole("button", { name: "Show all time" })).toBeNull();
});

it("a period without messages says so, and offers all", async () => {
  await open({ sessions: [sessionRecord("Old")] });
  await screen.findByText("No messages in this period");
  await screen.findByRole("button", { name: "Show all time" });
});

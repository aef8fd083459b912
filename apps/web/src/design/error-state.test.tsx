import { CommandError } from "@sm/router/client";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage } from "../page.fixture.tsx";

const MESSAGE = "Tokens cannot be read: {disk} is full.";

it.each([
  ["en", MESSAGE],
  ["zh", `暂时不可用。（${MESSAGE}）`],
] as const)("tells an error of the service in the language of the page: %s", async (locale, text) => {
  await openPage("/settings/api-keys", { locale, answers: { list_tokens: new CommandError("UNAVAILABLE", MESSAGE) } });
  expect((await screen.findByRole("alert", {}, { timeout: 10_000 })).textContent).toContain(text);
});

import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { it } from "vitest";
import { openApplication } from "./application.ts";
import { startDesktop } from "./desktop.ts";
import { makeUser } from "./user.ts";

const PICTURES = fileURLToPath(new URL("../../../docs/screenshots", import.meta.url));

/** In the page: waits until it is shown as it stays, since the web view draws in a process of its own. */
const DRAWN = "const done = arguments[0]; document.fonts.ready.then(() => setTimeout(done, 2000));";

it("is shown in docs/screenshots", async () => {
  await using user = await makeUser();
  await using desktop = await startDesktop();
  await using application = await openApplication(user, desktop, ["--demo"]);
  const { driver, environment, find } = application;
  await (await find("[role=grid] [role=row] a")).click();
  await find("main article");
  for (const theme of ["light", "dark"]) {
    await driver.executeScript("localStorage.setItem('session-manager.theme', JSON.stringify(arguments[0]))", theme);
    await driver.navigate().refresh();
    await find("main article");
    await driver.executeAsyncScript(DRAWN);
    // All of the window, with its menu, which the driver does not see.
    const picture = join(PICTURES, `desktop-${theme}.png`);
    await promisify(execFile)("import", ["-window", "root", "-crop", "1280x840+0+0", "+repage", picture], {
      env: environment,
    });
  }
});

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { adoptConnection, firstAnswers } from "./client/adopted-socket.ts";
import { createService } from "./client/service.ts";
import { openServiceData } from "./client/service-data.ts";
import { createTokenStore } from "./client/token.ts";
import { App } from "./shell/app.tsx";
import "./design/tokens.css";
import "./design/base.css";
import { followDensity } from "./appearance/density.ts";
import { followTheme } from "./appearance/theme.ts";
import { firstScreen } from "./design/first-screen.ts";
import { loadLocale } from "./i18n/locale.ts";

/** How long the first frame waits for what is shown in it. */
const FIRST_ANSWERS_MS = 150;

followTheme();
followDensity();
const tokens = createTokenStore(window);
const { earlyConnection } = globalThis;
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element #root.");
// Not awaited here: all other parts of the page import this one, and would wait for it.
void Promise.all([loadLocale(), firstAnswers(earlyConnection, FIRST_ANSWERS_MS)]).then(([locale]) => {
  const service = createService({ url: location.origin, tokens, connect: adoptConnection(earlyConnection) });
  const data = openServiceData(service, firstScreen);
  createRoot(root).render(
    <StrictMode>
      <App data={data} locale={locale} />
    </StrictMode>,
  );
});

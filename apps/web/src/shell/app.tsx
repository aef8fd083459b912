import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Fragment, useEffect, useState } from "react";
import { isWorthRetrying } from "../client/commands.ts";
import type { Service } from "../client/service.ts";
import { ServiceProvider } from "../client/service-context.tsx";
import { type Locale, loadLocale, localePreference } from "../i18n/locale.ts";
import { useKeyboard } from "../shortcuts/actions.ts";
import { makeRouter } from "./router.tsx";

export interface AppProps {
  service: Service;
  /** The language whose catalogue is loaded. */
  locale: Locale;
}

/** The whole page. */
export function App({ service, locale: firstLocale }: AppProps) {
  const [router] = useState(makeRouter);
  const [queries] = useState(makeQueryClient);
  const [locale, setLocale] = useState(firstLocale);
  useEffect(() => localePreference.subscribe(() => void loadLocale().then(setLocale)), []);
  useKeyboard();
  return (
    <QueryClientProvider client={queries}>
      <ServiceProvider service={service}>
        {/* Another language makes everything that is shown anew; what is loaded stays. */}
        <Fragment key={locale}>
          <RouterProvider router={router} />
        </Fragment>
      </ServiceProvider>
    </QueryClientProvider>
  );
}

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Push events say what has changed.
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // Whether the browser believes to be online says nothing about a service on this machine.
        networkMode: "always",
        retry: isWorthRetrying,
      },
      mutations: { networkMode: "always" },
    },
  });
}

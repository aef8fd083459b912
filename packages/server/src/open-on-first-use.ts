import { AppError } from "@sm/core";

/** A resource that is opened on first use. */
export interface OnFirstUse<Opened> {
  /** Opens it, or returns the open one. Rejects with AppError `UNAVAILABLE` after `close`. */
  open(): Promise<Opened>;
  /** `null` until it is open. */
  readonly opened: Opened | null;
  /** Closes it, also while it is being opened. */
  close(): Promise<void>;
}

/** Defers expensive work, such as loading code, until first use. Failures are retried. */
export function openOnFirstUse<Opened>(
  open: () => Promise<Opened>,
  close: (opened: Opened) => Promise<void> = async () => {},
): OnFirstUse<Opened> {
  let opening: Promise<Opened> | null = null;
  let opened: Opened | null = null;
  let isClosed = false;

  async function attempt(): Promise<Opened> {
    try {
      opened = await open();
      return opened;
    } catch (error) {
      opening = null;
      throw error;
    }
  }

  return {
    async open() {
      if (isClosed) throw new AppError("UNAVAILABLE", "The service is stopping.");
      opening ??= attempt();
      return opening;
    },
    get opened() {
      return opened;
    },
    async close() {
      isClosed = true;
      await opening?.catch(() => undefined);
      if (opened !== null) await close(opened);
    },
  };
}

/** A service that has only asynchronous methods. */
type Asynchronous<Service> = {
  [Name in keyof Service]: Service[Name] extends (...input: never[]) => Promise<unknown> ? Service[Name] : never;
};

/** Creates a service that forwards all calls to the service that `open` returns. */
export function forwarded<Service extends Asynchronous<Service>>(open: () => Promise<Service>): Service {
  const methods: ProxyHandler<object> = {
    get:
      (_target, name) =>
      async (...input: unknown[]) => {
        // All members are such methods, by the type.
        const service = (await open()) as Record<PropertyKey, (...input: unknown[]) => Promise<unknown>>;
        return service[name]?.(...input);
      },
  };
  return new Proxy({}, methods) as Service;
}

import { AppError } from "@sm/core";

/** What is opened when it is needed for the first time. */
export interface FirstUse<Opened> {
  /** Opens it, or gives what is open. Rejects with AppError `UNAVAILABLE` once it is closed. */
  open(): Promise<Opened>;
  /** `null` until it is open. */
  readonly opened: Opened | null;
  /** Closes what is open, also what is just being opened. */
  close(): Promise<void>;
}

/** Puts off what takes time, such as loading code, until somebody needs it. What fails is tried again. */
export function atFirstUse<Opened>(
  open: () => Promise<Opened>,
  close: (opened: Opened) => Promise<void> = async () => {},
): FirstUse<Opened> {
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

/** A service all of whose members are asynchronous methods. */
type Asynchronous<Service> = {
  [Name in keyof Service]: Service[Name] extends (...input: never[]) => Promise<unknown> ? Service[Name] : never;
};

/** Makes a service whose methods call those of the service that `open` gives. */
export function forwarded<Service extends Asynchronous<Service>>(open: () => Promise<Service>): Service {
  const methods: ProxyHandler<object> = {
    get:
      (_target, name) =>
      async (...input: unknown[]) => {
        // The type says that every member is such a method.
        const service = (await open()) as Record<PropertyKey, (...input: unknown[]) => Promise<unknown>>;
        return service[name]?.(...input);
      },
  };
  return new Proxy({}, methods) as Service;
}

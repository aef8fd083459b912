import { AppError } from "@sm/core";
import {
  type Caller,
  type CommandResponse,
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
  errorBody,
  failure,
  type Services,
} from "@sm/router";
import type { EventSource } from "@sm/router/events";
import type { Log } from "@sm/server/parts";
import type { UserSpace } from "./user-space.ts";

/** A user of the hub, as a token names them. */
export interface TokenOwner {
  userId: string;
  role: "owner" | "member" | "reader";
}

export interface UserSpacesOptions {
  /** Whose token it is; `null` for one that is known no more. */
  ownerOf(tokenId: string): TokenOwner | null;
  open(userId: string): UserSpace;
  commands: DispatcherOptions;
  log: Log;
}

/** The spaces of the users that this server has seen. */
export class UserSpaces implements Dispatcher, EventSource {
  readonly #options: UserSpacesOptions;
  readonly #open = new Map<string, UserSpace>();
  /** For whoever has shown no token yet: what needs none uses no service. */
  readonly #withoutToken: Dispatcher;

  constructor(options: UserSpacesOptions) {
    this.#options = options;
    this.#withoutToken = createDispatcher(NO_SERVICES, options.commands);
  }

  get all(): Iterable<UserSpace> {
    return this.#open.values();
  }

  /** The space of a user who is served here. */
  opened(userId: string): UserSpace | undefined {
    return this.#open.get(userId);
  }

  /** @throws AppError UNAUTHORIZED for a token that was revoked meanwhile. */
  of(caller: Partial<Pick<Caller, "tokenId">>): UserSpace {
    return this.#spaceOf(this.#owner(caller).userId);
  }

  /** Runs a command for the user whose token it came with. */
  async dispatch(request: unknown, caller: Caller): Promise<CommandResponse> {
    if (caller.tokenId === null) return this.#withoutToken.dispatch(request, caller);
    try {
      const { userId, role } = this.#owner(caller);
      // Whoever only reads has no more rights by any token.
      const scope = role === "reader" && caller.scope !== null ? "read" : caller.scope;
      return await this.#spaceOf(userId).dispatcher.dispatch(request, Object.assign(Object.create(caller), { scope }));
    } catch (error) {
      return failure(errorBody(error, this.#options.log, {}));
    }
  }

  readonly subscribe: EventSource["subscribe"] = (subscriber, caller) => this.of(caller).subscribe(subscriber);

  #owner({ tokenId = null }: Partial<Pick<Caller, "tokenId">>): TokenOwner {
    const owner = tokenId === null ? null : this.#options.ownerOf(tokenId);
    if (owner !== null) return owner;
    throw noOwner();
  }

  #spaceOf(userId: string): UserSpace {
    const known = this.#open.get(userId);
    if (known !== undefined) return known;
    const space = this.#options.open(userId);
    this.#open.set(userId, space);
    return space;
  }
}

const NO_SERVICES = new Proxy({} as Services, {
  get() {
    throw noOwner();
  },
});

function noOwner(): AppError {
  return new AppError("UNAUTHORIZED", "A hub needs an API token of one of its users.");
}

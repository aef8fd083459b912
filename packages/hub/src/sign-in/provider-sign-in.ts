import { AppError } from "@sm/core";
import type { Log, OidcSettings } from "@sm/server/parts";
import type { SignIns } from "@sm/store-postgres";
import { SIGN_IN_PATH, SIGNED_IN_PATH, SIGNED_OUT_PATH, type SignIn } from "@sm/transport-http";
import { admitted, wantedClaims } from "./admitted.ts";
import { CARRIED_MINUTES, seal, unseal } from "./carried-sign-in.ts";
import { Provider } from "./provider.ts";
import { ownPath } from "./public-address.ts";

export interface ProviderSignInOptions {
  settings: OidcSettings;
  clientSecret: string | null;
  /** Origin that people open the hub at. */
  address: string;
  signIns: SignIns;
  log: Log;
}

/** Says that a browser has been sent to the public address already, so that it is sent there once. */
const AT_ADDRESS = "at_address";

/** Signing in to a hub by OpenID Connect. Nothing of it is in the memory of one server. */
export class ProviderSignIn implements SignIn {
  readonly provider: string;
  readonly removeCookie: string;
  readonly #options: ProviderSignInOptions;
  readonly #oidc: Provider;
  readonly #cookie: string;
  #key: Promise<Buffer> | null = null;

  constructor(options: ProviderSignInOptions) {
    const { settings, clientSecret, address, log } = options;
    this.#options = options;
    this.provider = settings.name ?? new URL(settings.issuer).host;
    const isSecure = address.startsWith("https:");
    // Neither another name of the domain nor a page without TLS can set a cookie with this prefix.
    this.#cookie = isSecure ? "__Host-session-manager-sign-in" : "session-manager-sign-in";
    this.removeCookie = this.#setCookie("", 0);
    this.#oidc = new Provider({
      ...{ issuer: settings.issuer, clientId: settings.client_id, clientSecret, scopes: settings.scopes },
      ...{ redirectUri: address + SIGNED_IN_PATH, name: this.provider, log },
    });
  }

  async begin({ host, returnTo }: { host: string; returnTo: string | null }) {
    const { address } = this.#options;
    const isSent = returnTo?.startsWith(AT_ADDRESS) ?? false;
    const path = ownPath(isSent ? (returnTo ?? "").slice(AT_ADDRESS.length) : returnTo, address);
    // The provider sends back to one address, and only there is the cookie shown.
    if (!isSent && !isAt(host, address)) {
      const query = new URLSearchParams({ return_to: AT_ADDRESS + path });
      return { location: `${address}${SIGN_IN_PATH}?${query}`, setCookie: null };
    }
    const secrets = this.#oidc.newSecrets();
    const location = await this.#oidc.authorizationUrl(secrets);
    const carried = seal({ ...secrets, returnTo: path, begunAt: Date.now() }, await this.#secret());
    return { location, setCookie: this.#setCookie(carried, CARRIED_MINUTES * 60) };
  }

  async finish({ query, cookie }: { query: string; cookie: string | undefined }) {
    const { settings, signIns, log } = this.#options;
    const sealed = cookieNamed(this.#cookie, cookie);
    const carried = sealed === null ? null : unseal(sealed, await this.#secret());
    if (carried === null) {
      const message = `This sign-in did not begin in this browser, or took longer than ${CARRIED_MINUTES} minutes.`;
      throw new AppError("INVALID_REQUEST", message);
    }
    const states = new URLSearchParams(query).getAll("state");
    if (states.length !== 1 || states[0] !== carried.state) {
      throw new AppError("INVALID_REQUEST", "This is the answer to another sign-in than the one of this browser.");
    }
    if (!(await signIns.take(carried.state))) {
      throw new AppError("INVALID_REQUEST", "This sign-in was used already.");
    }
    const { claims, idToken } = await this.#oidc.claims(query, carried, wantedClaims(settings));
    const { name, role, newRole } = admitted(claims, settings, this.provider);
    const completed = await signIns.complete(
      { issuer: claims.iss, subject: claims.sub, name },
      {
        ...{ role, newRole, idToken, tokenName: `Signed in with ${this.provider}` },
        expiresAt: new Date(Date.now() + settings.session_hours * 3_600_000),
      },
    );
    const { userId, isNew, staysOwner } = completed;
    log.info({ user_id: userId, is_new: isNew }, "Somebody has signed in.");
    if (staysOwner) log.warn({ user_id: userId }, "The last owner stays one, although the provider says less.");
    return { token: completed.token, returnTo: carried.returnTo };
  }

  async end(tokenId: string): Promise<{ revoked: boolean; url: string | null }> {
    const ended = await this.#options.signIns.end(tokenId);
    if (ended === null) return { revoked: false, url: null };
    // Here they are signed out, whether or not the provider answers.
    const returnTo = this.#options.address + SIGNED_OUT_PATH;
    const url = await this.#oidc.signOutUrl(ended.idToken, returnTo).catch(() => null);
    return { revoked: true, url };
  }

  #secret(): Promise<Buffer> {
    this.#key ??= this.#options.signIns.secret();
    this.#key.catch(() => {
      this.#key = null;
    });
    return this.#key;
  }

  /** Sent with the navigation from the provider, but with nothing else that other sites cause. */
  #setCookie(value: string, seconds: number): string {
    const secure = this.#cookie.startsWith("__Host-") ? "; Secure" : "";
    return `${this.#cookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  }
}

function isAt(host: string, address: string): boolean {
  const text = `${new URL(address).protocol}//${host}`;
  return URL.canParse(text) && new URL(text).origin === address;
}

function cookieNamed(name: string, header: string | undefined): string | null {
  const values = (header ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  // Of two, one is somebody else's.
  return values.length === 1 ? (values[0] ?? null) : null;
}

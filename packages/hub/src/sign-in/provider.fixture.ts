import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import OidcProvider from "oidc-provider";

/** A real provider of OpenID Connect, at which everybody is let in as `person`. */
export class TestProvider {
  readonly issuer: string;
  /** Claims of those who have an account, by what the provider calls them. */
  readonly accounts = new Map<string, Record<string, unknown>>();
  /** Who signs in next. */
  person = "";
  readonly #server: Server;

  private constructor(server: Server, issuer: string) {
    this.#server = server;
    this.issuer = issuer;
  }

  static async start(client: { id: string; secret: string; address: string }): Promise<TestProvider> {
    let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
    const server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const one = new TestProvider(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const oidc = one.#provider(client);
    const callback = oidc.callback();
    answer = (request, response) => {
      if (!request.url?.startsWith("/interaction/")) return void callback(request, response);
      void oidc.interactionFinished(request, response, { login: { accountId: one.person } });
    };
    return one;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #provider({ id, secret, address }: { id: string; secret: string; address: string }): OidcProvider {
    const { accounts } = this;
    return new OidcProvider(this.issuer, {
      clients: [
        {
          client_id: id,
          client_secret: secret,
          redirect_uris: [`${address}/auth/callback`],
          post_logout_redirect_uris: [`${address}/auth/signed-out`],
        },
      ],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["preferred_username", "groups"] },
      cookies: { keys: ["test"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...accounts.get(sub) }) }),
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      // Nobody is asked whether the hub may know them.
      async loadExistingGrant(ctx) {
        const { client, session, provider } = ctx.oidc;
        const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId } as object);
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    });
  }
}

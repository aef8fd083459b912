import { isJsonObject, type JsonObject } from "@sm/core";
import * as v from "valibot";

const ROLES = ["owner", "member", "reader"] as const;

const ISSUER = 'must be the address of a provider with https, such as "https://id.example.com/realms/acme"';
const PUBLIC_URL = 'must be the address that people open, without a path, such as "https://hub.example.com"';
const TEXT = "must be a text";
const TEXTS = "must be an array of strings";
const DOMAIN = 'must be a domain, such as "example.com", or "*"';
const ROLE = `must be one of ${ROLES.join(", ")}`;
const VALUES = "must be a text or an array of texts";
const HOURS = "must be a whole number of hours from 1 to 720";
const OPEN =
  'lets in everybody whom the provider knows: name "allowed_domains" or "required_claims", or "role_claim" with a "default_role" of null; "allowed_domains": ["*"] says that it is meant';
const NO_ROLE = 'has no role for those who are new: without a "role_claim", "default_role" must not be null';
const NO_ROLES = 'has a "role_claim" without "roles", which say what its values are here';
const SCOPES = 'must have the scope "openid"';

const text = v.pipe(v.string(TEXT), v.nonEmpty("must not be empty"));
const role = v.picklist(ROLES, ROLE);
/** An array would pass as an object without fields. */
const jsonObject = v.custom<JsonObject>(isJsonObject, "must be an object");
const hours = v.pipe(v.number(HOURS), v.integer(HOURS), v.minValue(1, HOURS), v.maxValue(720, HOURS));

/** The schema of `oidc` in `session-manager.json`; `file` is that of a path. */
export function oidcSchema(file: v.GenericSchema<string, string>) {
  return v.pipe(
    jsonObject,
    v.object({
      issuer: v.pipe(v.string(ISSUER), v.check(isIssuer, ISSUER)),
      client_id: text,
      client_secret_file: v.optional(v.nullable(file), null),
      name: v.optional(v.nullable(text), null),
      public_url: v.optional(v.nullable(v.pipe(v.string(PUBLIC_URL), v.check(isOrigin, PUBLIC_URL))), null),
      scopes: v.optional(
        v.pipe(
          v.array(text, TEXTS),
          v.check((scopes) => scopes.includes("openid"), SCOPES),
        ),
        ["openid", "profile", "email"],
      ),
      name_claim: v.optional(v.nullable(text), null),
      allowed_domains: v.optional(
        v.array(
          v.pipe(
            v.string(DOMAIN),
            v.toLowerCase(),
            v.check((domain) => domain === "*" || /^[^@\s*]+$/.test(domain), DOMAIN),
          ),
          TEXTS,
        ),
        [],
      ),
      required_claims: v.optional(
        v.pipe(
          jsonObject,
          v.record(
            v.string(),
            v.pipe(
              v.union([text, v.pipe(v.array(text), v.minLength(1))], VALUES),
              v.transform((values) => [values].flat()),
            ),
          ),
        ),
        {},
      ),
      default_role: v.optional(v.nullable(role), "member"),
      role_claim: v.optional(v.nullable(text), null),
      roles: v.optional(v.pipe(jsonObject, v.record(v.string(), role)), {}),
      session_hours: v.optional(hours, 12),
    }),
    v.check(
      ({ allowed_domains, required_claims, default_role }) =>
        allowed_domains.length > 0 || Object.keys(required_claims).length > 0 || default_role === null,
      OPEN,
    ),
    v.check(({ role_claim, default_role }) => role_claim !== null || default_role !== null, NO_ROLE),
    v.check(({ role_claim, roles }) => role_claim === null || Object.keys(roles).length > 0, NO_ROLES),
  );
}

/** How people sign in to a hub. */
export type OidcSettings = v.InferOutput<ReturnType<typeof oidcSchema>>;

/** Without TLS only on this machine: whoever changes an answer on the way is everybody. */
function isIssuer(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, search, hash } = new URL(address);
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  return (protocol === "https:" || (protocol === "http:" && isLocal)) && username + search + hash === "";
}

function isOrigin(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, protocol } = new URL(address);
  return /^https?:$/.test(protocol) && address.replace(/\/$/, "") === origin;
}

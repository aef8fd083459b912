import { AppError, isJsonObject } from "@sm/core";
import type { OidcSettings } from "@sm/server/parts";
import type { Claims } from "./provider.ts";

type Role = "owner" | "member" | "reader";

/** Most rights first. */
const ROLES = ["owner", "member", "reader"] as const;
const NAMES = ["preferred_username", "email", "name", "nickname"];
const MOST_NAME = 80;

export interface Admitted {
  name: string;
  /** What the provider says that they may do; `null`: it is not asked. */
  role: Role | null;
  /** For somebody who is new. */
  newRole: Role;
}

/** Claims that decide on somebody, which the provider is asked for if the ID token does not have them. */
export function wantedClaims({ name_claim, allowed_domains, required_claims, role_claim }: OidcSettings): string[] {
  const own = [...(role_claim === null ? [] : [role_claim]), ...Object.keys(required_claims)];
  const isMailAsked = allowed_domains.length > 0 && !allowed_domains.includes("*");
  return [
    name_claim ?? "preferred_username",
    ...own.map((name) => name.split(".")[0] ?? name),
    ...(isMailAsked ? ["email", "email_verified"] : []),
  ];
}

/** Whether somebody may come in, and as what. @throws AppError `FORBIDDEN`. */
export function admitted(claims: Claims, settings: OidcSettings, provider: string): Admitted {
  const refused = (why: string) =>
    new AppError("FORBIDDEN", `Your account at ${provider} ${why}. Ask whoever runs this hub.`);
  const { allowed_domains: domains, required_claims, role_claim, roles, default_role, name_claim } = settings;
  if (domains.length > 0 && !domains.includes("*") && !domains.includes(confirmedDomain(claims) ?? "")) {
    throw refused("has no confirmed e-mail address of a domain that may use it");
  }
  for (const [name, values] of Object.entries(required_claims)) {
    if (!valuesOf(claims, name).some((value) => values.includes(value))) {
      throw refused(`does not have what "${name}" must say`);
    }
  }
  const given = role_claim === null ? [] : valuesOf(claims, role_claim);
  const named = ROLES.find((role) => given.some((value) => Object.hasOwn(roles, value) && roles[value] === role));
  const role = role_claim === null ? null : (named ?? default_role);
  const newRole = role ?? default_role;
  if (newRole === null) throw refused("has no role here");
  const candidates = [...(name_claim === null ? [] : [name_claim]), ...NAMES].map((name) => claims[name]);
  const name = candidates.map(shownName).find((text) => text !== "") ?? "user";
  return { name, role, newRole };
}

/** Without the provider's word that it is theirs, anybody can write an address. */
function confirmedDomain({ email, email_verified }: Claims): string | null {
  if (typeof email !== "string" || (email_verified !== true && email_verified !== "true")) return null;
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

/** The values of a claim, or of one inside another one: `realm_access.roles`. */
function valuesOf(claims: Claims, name: string): string[] {
  const path = Object.hasOwn(claims, name) ? [name] : name.split(".");
  let found: unknown = claims;
  for (const part of path) found = isJsonObject(found) && Object.hasOwn(found, part) ? found[part] : undefined;
  return [found]
    .flat()
    .flatMap((value) => (["string", "number", "boolean"].includes(typeof value) ? [`${value}`] : []));
}

/** One line that shows what it is: nothing invisible, and nothing that turns the direction of text. */
function shownName(value: unknown): string {
  if (typeof value !== "string") return "";
  const text = value.normalize("NFC").replace(/\s/gu, " ").replace(/\p{C}/gu, "").replace(/ +/g, " ").trim();
  return [...text].slice(0, MOST_NAME).join("");
}

import type { Service } from "../client/service.ts";

/**
 * Forgets the token of this browser and begins anew, so that nothing is left of what was shown. A token that was made by
 * signing in is revoked; the provider ends its session too, where it can.
 */
export async function signOut(service: Service): Promise<void> {
  const url = await revoke(service.token());
  service.forgetToken();
  location.assign(url ?? "/");
}

/** Resolves with where the session of the provider ends; `null` where nobody has signed in with one. */
async function revoke(token: string | null): Promise<string | null> {
  if (token === null) return null;
  try {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const response = await fetch("/auth/sign-out", { method: "POST", headers, body: "{}" });
    if (!response.ok) return null;
    const { data } = (await response.json()) as { data: { url: string | null } | null };
    return data?.url ?? null;
  } catch {
    // Without a connection it is forgotten here all the same.
    return null;
  }
}

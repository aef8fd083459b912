import type { Service } from "../client/service.ts";

/** Asks for an export; rejects with what the service says against it. */
export async function fetchExport(service: Service, address: string, signal?: AbortSignal): Promise<Response> {
  const token = service.token();
  const response = await fetch(address, {
    ...(token !== null && { headers: { Authorization: `Bearer ${token}` } }),
    ...(signal !== undefined && { signal }),
  });
  if (response.ok) return response;
  const answer: { error?: { message?: string } } | null = await response.json().catch(() => null);
  throw new Error(answer?.error?.message ?? `HTTP ${response.status}`);
}

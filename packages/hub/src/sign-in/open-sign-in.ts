import { readFile } from "node:fs/promises";
import { StartError } from "@sm/server";
import type { Config, Log } from "@sm/server/parts";
import type { SignIns } from "@sm/store-postgres";
import { ProviderSignIn } from "./provider-sign-in.ts";
import { publicAddress } from "./public-address.ts";

/**
 * Signing in as the configuration has it; `null` where it has none.
 *
 * @throws {StartError} for a secret that cannot be read, and where the address of the hub is not known.
 */
export async function openSignIn(
  config: Config,
  { signIns, log }: { signIns: SignIns; log: Log },
): Promise<ProviderSignIn | null> {
  const { oidc: settings } = config;
  if (settings === null) return null;
  const address = publicAddress(config);
  const { client_secret_file: file } = settings;
  const clientSecret = file === null ? null : await readSecret(file);
  return new ProviderSignIn({ settings, clientSecret, address, signIns, log });
}

async function readSecret(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new StartError(`The client_secret_file of oidc cannot be read: ${error.message}.`, { cause: error });
  });
  if (text.trim() !== "") return text.trim();
  throw new StartError(`The client_secret_file of oidc, ${file}, is empty.`);
}

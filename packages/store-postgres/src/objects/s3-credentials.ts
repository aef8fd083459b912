import { homedir } from "node:os";
import { join } from "node:path";
import { readWholeFile } from "@sm/core/files";

/** What requests are signed with. */
export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

const MOST_BYTES = 64 * 1024;
const DEFAULT_PROFILE = "default";

/**
 * Finds credentials where other programs for S3 look for them: in a file of the configuration, else in the environment
 * (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`), else in `AWS_SHARED_CREDENTIALS_FILE` or
 * `~/.aws/credentials`; `AWS_PROFILE` names the section of a file.
 *
 * Rejects with an error for the log where there are none.
 */
export async function findS3Credentials(
  file: string | null,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<S3Credentials> {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = environment;
  if (file === null && id && secret) {
    return { accessKeyId: id, secretAccessKey: secret, ...(token && { sessionToken: token }) };
  }
  const path = file ?? (environment.AWS_SHARED_CREDENTIALS_FILE || join(homedir(), ".aws", "credentials"));
  const profile = environment.AWS_PROFILE || DEFAULT_PROFILE;
  let text: string;
  try {
    text = new TextDecoder().decode(await readWholeFile(path, MOST_BYTES));
  } catch (error) {
    throw missing(`${path} cannot be read`, error);
  }
  const section = sectionOf(text, profile);
  const accessKeyId = section.get("aws_access_key_id");
  const secretAccessKey = section.get("aws_secret_access_key");
  if (!accessKeyId || !secretAccessKey) throw missing(`${path} has no keys in [${profile}]`);
  const sessionToken = section.get("aws_session_token");
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

/** The values of one section of an INI file. */
function sectionOf(text: string, wanted: string): Map<string, string> {
  const values = new Map<string, string>();
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*(.*?)\s*\]/.exec(line);
    if (header !== null) section = header[1] ?? "";
    const value = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line);
    if (value !== null && section === wanted) values.set(value[1] ?? "", value[2] ?? "");
  }
  return values;
}

function missing(reason: string, cause?: unknown): Error {
  return new Error(`The credentials of the object store are missing: ${reason}.`, { cause });
}

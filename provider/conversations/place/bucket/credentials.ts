/** Finds a bucket's credentials and region: in the environment, or with the AWS CLI, which knows profiles. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { tryOr } from "../../../text/try-or";
import { UserError } from "../../../text/user-error";

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  /** Milliseconds since the epoch. */
  expiresAt?: number | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const REMEDY =
  "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or install the AWS CLI and sign in, for example with `aws " +
  "sso login`.";

/** @throws UserError when there are none. */
export async function findCredentials(env: Environment, bucket: string): Promise<Credentials> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env;
  if (accessKeyId && secretAccessKey)
    return checked({ accessKeyId, secretAccessKey, sessionToken: AWS_SESSION_TOKEN || undefined });
  const { output, failure } = await aws(["configure", "export-credentials", "--format", "process"], env);
  const found = output === undefined ? undefined : parseExported(output);
  if (found) return checked(found);
  throw new UserError(`No credentials for ${bucket} were found: ${failure ?? "the AWS CLI has none"}. ${REMEDY}`);
}

/** @throws UserError when a header cannot contain them. */
function checked(credentials: Credentials): Credentials {
  const { accessKeyId, secretAccessKey, sessionToken = "" } = credentials;
  if (/^[!-~]*$/.test(accessKeyId + secretAccessKey + sessionToken)) return credentials;
  throw new UserError(
    "The credentials of the bucket contain a space, a line break or another unusual character. Copy them again.",
  );
}

/** @throws UserError when none is set. A store with another address accepts any region, and usually this one. */
export async function findRegion(env: Environment, bucket: string): Promise<string> {
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || (endpointOf(env) && "us-east-1");
  const configured = region || (await aws(["configure", "get", "region"], env)).output?.trim();
  if (configured && /^[a-z0-9-]+$/.test(configured)) return configured;
  throw new UserError(`The region of ${bucket} is not known. Set AWS_REGION, such as us-east-1.`);
}

/** Returns the address of a store that is compatible with S3. */
export const endpointOf = (env: Environment): string | undefined =>
  env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined;

async function aws(args: readonly string[], env: Environment): Promise<{ output?: string; failure?: string }> {
  try {
    const { stdout } = await promisify(execFile)("aws", args, { env: { ...env }, timeout: 60_000 });
    return { output: stdout };
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === "ENOENT") return { failure: "neither the environment names any, nor is the AWS CLI installed" };
    const reason = /Invalid choice/.test(stderr ?? "")
      ? "its version 1 cannot export them, but version 2 can"
      : (stderr ?? "").trim().split("\n").at(-1)?.slice(0, 300);
    return { failure: `the AWS CLI was asked for them: ${reason}` };
  }
}

function parseExported(text: string): Credentials | undefined {
  const exported: Record<string, string> | null = tryOr(() => JSON.parse(text), null);
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = exported ?? {};
  if (!AccessKeyId || !SecretAccessKey) return undefined;
  const expiresAt = Expiration === undefined ? undefined : Date.parse(Expiration);
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken, expiresAt };
}

/** Starts the built emulator in a separate process. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";

export interface Emulator {
  process: ChildProcess;
  url: string;
  bucket: { endpoint_url: string; access_key_id: string; secret_access_key: string };
}

/** What it prints when it listens. */
const ADDRESSES =
  /listens at (?<url>http:\S+)[\s\S]*bucket is at (?<bucket>http:\S+) \(access key ID (?<id>\w+), secret access key (?<secret>\w+)\)/;

export async function startEmulator(node: string, env: NodeJS.ProcessEnv, options: string[]): Promise<Emulator> {
  const main = join(ROOT, "emulator", "dist", "main.js");
  const args = ["--disable-warning=ExperimentalWarning", main, "--port", "0", "--strict", ...options];
  const child = spawn(node, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    printed += text;
    const { url = "", bucket = "", id = "", secret = "" } = ADDRESSES.exec(printed)?.groups ?? {};
    if (!url) continue;
    // Otherwise it would wait once the pipe is full.
    child.stdout.resume();
    return {
      process: child,
      url,
      bucket: { endpoint_url: bucket, access_key_id: id, secret_access_key: secret },
    };
  }
  throw new Error(`The emulator did not start: ${printed}`);
}

/** The port of the quickstart's emulator. It stays the same for the life of the stack, whose state contains the URL. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PRIVATE } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";

const DEFAULT = 7420;
const REMEMBERED = join(PRIVATE, "port");

/** Returns the port: of `--port`, of AGENTGRAPH_EMULATOR_PORT, of the last `npm run up`, or 7420. */
export async function choosePort(asked, env) {
  const wanted = parse(asked ?? (env.AGENTGRAPH_EMULATOR_PORT || undefined));
  const remembered = await rememberedPort();
  if (wanted && remembered && wanted !== remembered) {
    throw new Problem(
      `The quickstart is running on port ${remembered}. Run \`npm run down\` first, then \`npm run up -- --port ${wanted}\`.`,
    );
  }
  return wanted ?? remembered ?? DEFAULT;
}

async function rememberedPort() {
  return parse(await readFile(REMEMBERED, "utf8").catch(() => undefined));
}

/** Stores the port until `npm run down`. */
export async function rememberPort(port) {
  await mkdir(PRIVATE, { recursive: true });
  await writeFile(REMEMBERED, `${port}\n`);
}

/** Discards the stored port. */
export const forgetPort = () => rm(REMEMBERED, { force: true });

function parse(text) {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65535) return port;
  throw new Problem(`"${text.trim()}" is not a valid port. Use a number from 1 to 65534, for example --port 7520.`);
}

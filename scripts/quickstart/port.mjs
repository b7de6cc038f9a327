/** The port of the quickstart's emulator. It stays the same for the life of the stack, whose state contains the URL. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PRIVATE } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";

const DEFAULT = 7420;
const PORT_FILE = join(PRIVATE, "port");

/** Returns the port: of `--port`, of AGENTGRAPH_EMULATOR_PORT, of the last `npm run up`, or 7420. */
export async function choosePort(requested, env) {
  const chosen = parsePort(requested ?? (env.AGENTGRAPH_EMULATOR_PORT || undefined));
  const stored = await readStoredPort();
  if (chosen && stored && chosen !== stored) {
    throw new Problem(
      `The quickstart is running on port ${stored}. Run \`npm run down\` first, then \`npm run up -- --port ` +
        `${chosen}\`.`,
    );
  }
  return chosen ?? stored ?? DEFAULT;
}

async function readStoredPort() {
  return parsePort(await readFile(PORT_FILE, "utf8").catch(() => undefined));
}

/** Stores the port until `npm run down`. */
export async function storePort(port) {
  await mkdir(PRIVATE, { recursive: true });
  await writeFile(PORT_FILE, `${port}\n`);
}

/** Discards the stored port. */
export const clearPort = () => rm(PORT_FILE, { force: true });

function parsePort(text) {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65535) return port;
  throw new Problem(`"${text.trim()}" is not a valid port. Use a number from 1 to 65534, for example --port 7520.`);
}

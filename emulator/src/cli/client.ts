import { request } from "node:http";
import { text } from "node:stream/consumers";
import { defaultFolder, findRunning } from "./daemon";
import { CommandError, type CommandIo, EXIT, type Options, usageError } from "./subcommand";

/** The URL of an emulator that was started without options. */
const DEFAULT_URL = "http://127.0.0.1:7420";
/** The provider's settings, of which users may already have one. */
const URL_VARIABLES = ["AGENTGRAPH_CONTROL_PLANE_URL", "AGENTGRAPH_URL"];
/** Timeout in milliseconds of the health check; other requests have none. */
const HEALTH_TIMEOUT_MS = 5000;

/** A client of a running emulator's admin API. */
export class Client {
  private constructor(readonly url: string) {}

  /** Finds the emulator and verifies that it is one before it sends anything else. @throws CommandError */
  static async find(options: Options, io: CommandIo): Promise<Client> {
    const { url, source } = await resolveAddress(options, io);
    const client = new Client(parseUrl(url, source));
    await client.assertIsEmulator(source);
    return client;
  }

  /**
   * Sends one request to a path below `/_emulator/`. Returns the parsed JSON; undefined without a body. @throws
   * CommandError
   */
  async request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, content } = await this.send(method, path, body).catch((error) => {
      throw new CommandError(
        `The emulator at ${this.url} did not respond to ${method} /_emulator/${path} (${causeOf(error)}). ` +
          "Check that it is still running: agentgraph-emulator status.",
      );
    });
    if (status < 300) return (content === "" ? undefined : JSON.parse(content)) as T;
    throw new CommandError(
      `The emulator at ${this.url} rejected the request: ${detailOf(content)}`,
      status === 422 ? EXIT.usage : EXIT.failed,
    );
  }

  private async assertIsEmulator(source: string): Promise<void> {
    const address = `${this.url}${source}`;
    const hint = "Set the emulator's URL with --url.";
    const { status, content } = await this.send("GET", "health", undefined, HEALTH_TIMEOUT_MS).catch((error) => {
      throw new CommandError(
        `No emulator is running at ${address}: ${causeOf(error)}. Start one with "agentgraph-emulator start", ` +
          "or set its URL with --url.",
      );
    });
    if (status === 403) throw new CommandError(`${address} rejected the request: ${detailOf(content)}`);
    if (status !== 200)
      throw new CommandError(`${address} is not an emulator: GET /_emulator/health returned ${status}. ${hint}`);
    const { pid, version } = parseObject(content) ?? {};
    if (pid === undefined || version === undefined) {
      throw new CommandError(`${address} is not an emulator: unexpected response to GET /_emulator/health. ${hint}`);
    }
  }

  private send(method: string, path: string, body?: unknown, timeout?: number): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
      const outgoing = request(`${this.url}/_emulator/${path}`, { method, headers, signal }, (incoming) => {
        text(incoming).then((content) => resolve({ status: incoming.statusCode ?? 0, content }), reject);
      });
      outgoing.on("error", reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

interface HttpResponse {
  status: number;
  content: string;
}

interface Address {
  url: string;
  /** The source of the URL, for errors; empty if it is on the command line. */
  source: string;
}

/** Options take precedence over the environment, and the environment over the current folder. */
async function resolveAddress({ url }: Options, { env, startOptions: given }: CommandIo): Promise<Address> {
  if (url !== undefined) return { url, source: "" };
  const { port, host = "127.0.0.1" } = given;
  if (port !== undefined) return { url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, source: "" };
  if (given.data !== undefined) {
    const running = await findRunning(given.data);
    if (running) return { url: running.url, source: "" };
    throw new CommandError(
      `No emulator is running with the data folder ${given.data}. Start one with "agentgraph-emulator start ` +
        `--data ${given.data}", or set its URL with --url.`,
    );
  }
  for (const name of URL_VARIABLES) {
    const value = env[name];
    if (value) return { url: value, source: ` (from ${name})` };
  }
  return { url: (await findRunning(defaultFolder()))?.url ?? DEFAULT_URL, source: "" };
}

function parseUrl(text: string, source: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "http:" && url.username === "" && url.password === "")
    return url.origin + url.pathname.replace(/\/+$/, "");
  const displayUrl = url ? url.origin : `"${text}"`;
  throw usageError(`Invalid emulator URL ${displayUrl}${source}; expected a URL such as ${DEFAULT_URL}.`);
}

function causeOf(error: NodeJS.ErrnoException): string {
  return error.name === "TimeoutError" || error.name === "AbortError"
    ? `no response within ${HEALTH_TIMEOUT_MS / 1000} s`
    : (error.code ?? error.message);
}

/** Formats the `detail` of an error response as a sentence. */
function detailOf(content: string): string {
  const { detail } = parseObject(content) ?? {};
  if (!Array.isArray(detail)) return typeof detail === "string" ? sentence(detail) : "no reason given.";
  return sentence(
    detail
      .map(({ loc, msg }) => `${loc.filter((part: unknown) => part !== "body" && part !== "query").join(".")}: ${msg}`)
      .join("; "),
  );
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function parseObject(content: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(content);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

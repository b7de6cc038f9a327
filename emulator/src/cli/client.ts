import { request } from "node:http";
import { text } from "node:stream/consumers";
import { defaultFolder, findRunning } from "./daemon";
import { CommandError, EXIT, mistake, type Options, type Surroundings } from "./subcommand";

/** The address of a start without options. */
const usual = "http://127.0.0.1:7420";
/** Which the provider's users have set already. */
const variable = "AGENTGRAPH_CONTROL_PLANE_URL";
/** For the question whether it is there; what it is asked then may take as long as it takes. */
const helloTimeout = 5000;

/** A running emulator, spoken to by `/_emulator`. */
export class Client {
  private constructor(readonly url: string) {}

  /** Finds the one that is meant, and sees that it is one before anything is asked of it. */
  static async find(options: Options, surroundings: Surroundings): Promise<Client> {
    const { url, source } = await addressOf(options, surroundings);
    const client = new Client(readAddress(url, source));
    await client.greet(source);
    return client;
  }

  /** One call; `path` is below `/_emulator/`. Answers its JSON; undefined where there is none. */
  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, content } = await this.send(method, path, body).catch((error) => {
      throw new CommandError(
        `The emulator at ${this.url} went away before it answered ${method} /_emulator/${path} (${causeOf(error)}). See whether it still runs: agentgraph-emulator status.`,
      );
    });
    if (status < 300) return (content === "" ? undefined : JSON.parse(content)) as T;
    throw new CommandError(
      `The emulator at ${this.url} refused: ${detailOf(content)}`,
      status === 422 ? EXIT.usage : EXIT.failed,
    );
  }

  private async greet(source: string): Promise<void> {
    const where = `${this.url}${source}`;
    const todo = "Say where it is with --url.";
    const { status, content } = await this.send("GET", "health", undefined, helloTimeout).catch((error) => {
      throw new CommandError(
        `No emulator answers at ${where}: ${causeOf(error)}. Start one with "agentgraph-emulator start", or say where it is with --url.`,
      );
    });
    if (status !== 200)
      throw new CommandError(`${where} is no emulator: GET /_emulator/health says ${status}. ${todo}`);
    const { pid, version } = parsed(content) ?? {};
    if (pid === undefined || version === undefined) {
      throw new CommandError(`${where} is no emulator: GET /_emulator/health does not say what one says. ${todo}`);
    }
  }

  private send(method: string, path: string, body?: unknown, timeout?: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
      const sent = request(`${this.url}/_emulator/${path}`, { method, headers, signal }, (incoming) => {
        text(incoming).then((content) => resolve({ status: incoming.statusCode ?? 0, content }), reject);
      });
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

interface Answer {
  status: number;
  content: string;
}

interface Address {
  url: string;
  /** Where it comes from, for errors; empty where the person has just written it. */
  source: string;
}

/** What is on the line goes before the environment, the environment before the folder that one stands in. */
async function addressOf({ url }: Options, { env, given }: Surroundings): Promise<Address> {
  if (url !== undefined) return { url, source: "" };
  const { port, host = "127.0.0.1" } = given;
  if (port !== undefined) return { url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, source: "" };
  if (given.data !== undefined) {
    const running = await findRunning(given.data);
    if (running) return { url: running.url, source: "" };
    throw new CommandError(
      `No emulator runs with the data in ${given.data}. Start it with "agentgraph-emulator start --data ${given.data}", or say where one is with --url.`,
    );
  }
  if (env[variable]) return { url: env[variable], source: ` (from ${variable})` };
  return { url: (await findRunning(defaultFolder()))?.url ?? usual, source: "" };
}

function readAddress(text: string, source: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "http:" && url.username === "" && url.password === "")
    return url.origin + url.pathname.replace(/\/+$/, "");
  const shown = url ? url.origin : `"${text}"`;
  throw mistake(`${shown}${source} is no address of an emulator: write it with --url as ${usual}.`);
}

function causeOf(error: NodeJS.ErrnoException): string {
  return error.name === "TimeoutError" || error.name === "AbortError"
    ? `no answer within ${helloTimeout / 1000} s`
    : (error.code ?? error.message);
}

/** The `detail` of an answer that is no success, as a sentence. */
function detailOf(content: string): string {
  const { detail } = parsed(content) ?? {};
  if (!Array.isArray(detail)) return typeof detail === "string" ? sentence(detail) : "it does not say why.";
  return sentence(
    detail
      .map(({ loc, msg }) => `${loc.filter((part: unknown) => part !== "body" && part !== "query").join(".")}: ${msg}`)
      .join("; "),
  );
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function parsed(content: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(content);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

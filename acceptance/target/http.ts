/** Plain requests to the platform, as any client would send them: neither the provider nor the emulator takes part. */
import { setTimeout as pause } from "node:timers/promises";

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body of a response of an unknown server.
  body: any;
  /** The header Date. */
  date: string | null;
}

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 4;
/** The server did not act on a request with such a response. */
const BUSY = [429, 503];

/** One API of the platform at its base URL. */
export class Api {
  readonly url: string;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.url = url;
    this.headers = headers;
  }

  get = (path: string) => this.send("GET", path);
  post = (path: string, body: unknown) => this.send("POST", path, body);
  patch = (path: string, body: unknown) => this.send("PATCH", path, body);
  delete = (path: string) => this.send("DELETE", path);

  /** Returns the same API for requests with other headers; those that are undefined are left out. */
  with(headers: Readonly<Record<string, string | undefined>>): Api {
    const all = Object.entries({ ...this.headers, ...headers });
    return new Api(
      this.url,
      Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    );
  }

  /** Returns the same API for requests without credentials. */
  anonymous = (): Api => new Api(this.url, {});

  async send(method: string, path: string, body?: unknown): Promise<Reply> {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(this.url + path, {
        method,
        headers: { ...this.headers, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // The provider follows no redirect, so that credentials cannot leak.
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      if (!BUSY.includes(response.status) || attempt === ATTEMPTS)
        return { status: response.status, body: parse(text), date: response.headers.get("date") };
      await pause(1000 * 2 ** attempt);
    }
  }
}

/** Whether a request succeeded. */
export const ok = ({ status }: Reply) => status >= 200 && status < 300;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Describes an unexpected response in one line. A successful one may contain secrets of others, so only its form is
 * shown.
 */
export function describe(reply: Reply): string {
  const { status, body } = reply;
  if (Array.isArray(body)) return `${status} with ${body.length} items`;
  if (ok(reply))
    return `${status} with ${isObject(body) ? `the fields ${Object.keys(body).join(", ")}` : "another body"}`;
  const text = typeof body === "string" ? body : JSON.stringify(body?.detail ?? body);
  return `${status}${text ? `: ${text.replace(/\s+/g, " ").slice(0, 300)}` : ""}`;
}

const isObject = (value: unknown) => typeof value === "object" && value !== null;

/** One request of the script and its response, as recordings contain them: one per line. */
import type { Step } from "./steps/step.ts";

export interface Exchange {
  name: string;
  facts: readonly string[];
  request: Pick<Step, "method" | "path" | "headers" | "body">;
  response: RecordedResponse;
}

export interface RecordedResponse {
  status: number;
  headers: Record<string, string>;
  /** JSON, or a text where the response is none; absent where it is empty. */
  body?: unknown;
}

/** The first line of a recording. */
export interface RecordingHeader {
  server: "python" | "javascript";
  /** By package. */
  versions: Record<string, string>;
  recorded: string;
}

/** Returns whether a step needs what the server has refused to create, such as a cron. */
export function usesRefused(step: Step, exchanges: readonly Exchange[]): boolean {
  const used = [...JSON.stringify(step).matchAll(/\{\{([^.}]+)/g)].map(([, name]) => name);
  return exchanges.some(({ name, response }) => used.includes(name) && response.status >= 400);
}

/** The headers that clients read. */
const HEADERS = [
  "allow",
  "content-location",
  "content-type",
  "location",
  "retry-after",
  "x-pagination-next",
  "x-pagination-total",
];

/** Sends a request, whose names are resolved. */
export async function exchange(
  origin: string,
  { method, path, headers, body }: Exchange["request"],
): Promise<RecordedResponse> {
  const response = await fetch(origin + path, {
    method,
    // One of the servers ends connections that another request may already use.
    headers: { connection: "close", ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const responseHeaders = HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value.toLowerCase().replace("; charset", ";charset")]];
  });
  const content = { ...(text !== "" && { body: contentOf(text) }) };
  return { status: response.status, headers: Object.fromEntries(responseHeaders), ...content };
}

/** Returns JSON, also where the type says text; a list of server-sent events; or a text. */
function contentOf(text: string): unknown {
  if (/^(event|id|data|retry):/.test(text))
    return text
      .trim()
      .split(/(?:\r?\n){2}/)
      .map(toEvent);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toEvent(text: string) {
  const lines = text.split(/\r?\n/).filter((line) => /^(event|data):/.test(line));
  const fields = lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
  const { event, data = "" } = Object.fromEntries(fields);
  return { event, ...(data !== "" && { data: contentOf(data) }) };
}

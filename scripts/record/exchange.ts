/** The requests that are recorded on published agent servers and replayed on the emulator, and their responses. */

/** One line of a recording, except for its response: what is sent, and when. */
export interface Step {
  /** Unique; the values of its response that change are named after it. */
  name: string;
  /** The IDs of the facts of docs/platform-api/ that the exchange shows. */
  facts: readonly string[];
  /** Why it is sent like this. */
  note?: string;
  /** Before the request: waits until this thread has no unfinished run. */
  settle?: string;
  /** Before the request: seconds to wait. */
  wait?: number;
  /** Reads a stream that does not end until one of its events contains this text. */
  until?: string;
  /** Sent to a second server, which authenticates users: scripts/record/graphs/auth. */
  authenticated?: true;
  /** What is sent, where `request` has other names of the same values: those of the places where they first occur. */
  written?: RecordedRequest;
  request: RecordedRequest;
}

export interface Exchange extends Step {
  response: RecordedResponse;
}

export interface RecordedRequest {
  method: string;
  /** May contain names of earlier values: `/threads/{{create-empty.thread_id}}`. */
  path: string;
  /** Besides those that every request has. */
  headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is; names are replaced in everything else. */
  body?: unknown;
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

/** Compares names of recordings: those of newer versions of a server follow. */
export const byVersion = (a: string, b: string) => a.localeCompare(b, "en", { numeric: true });

/** Returns whether a request needs what the server has refused to create, such as a cron. */
export function usesRefused({ request, written = request }: Step, exchanges: readonly Exchange[]): boolean {
  const used = [...JSON.stringify(written).matchAll(/\{\{([^.}]+)/g)].map(([, name]) => name);
  return exchanges.some(({ name, response }) => used.includes(name) && response.status >= 400);
}

/** The headers that clients read. */
const READ_HEADER = /^(allow|content-location|content-type|location|retry-after|x-pagination-(next|total))$/;

/** Sends a request, whose names are resolved. */
export async function exchange(
  origin: string,
  { method, path, headers, body }: RecordedRequest,
  until?: string,
): Promise<RecordedResponse> {
  const response = await fetch(origin + path, {
    method,
    // One of the servers ends connections that another request may already use.
    headers: { connection: "close", ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = until === undefined ? await response.text() : await readUntil(response, until);
  const responseHeaders = [...response.headers].filter(([name]) => READ_HEADER.test(name));
  const named = responseHeaders.map(([name, value]) => [name, value.toLowerCase().replace("; charset", ";charset")]);
  const content = { ...(text !== "" && { body: contentOf(text) }) };
  return { status: response.status, headers: Object.fromEntries(named), ...content };
}

async function readUntil({ body }: Response, until: string): Promise<string> {
  let text = "";
  // Leaving the loop disconnects.
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part.replaceAll("\r", "");
    const end = text.includes(until) ? text.indexOf("\n\n", text.indexOf(until)) : -1;
    if (end >= 0) return text.slice(0, end);
  }
  return text;
}

/** Returns JSON, also where the type says text; a list of server-sent events; or a text. */
function contentOf(text: string): unknown {
  const parts = text.trim().split(/(?:\r?\n){2}/);
  if (/^(event|id|data|retry):/.test(text)) return parts.map(toEvent);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toEvent(text: string) {
  const fields = [...text.matchAll(/^(event|data):(.*)$/gm)].map(([, name, value = ""]) => [name, value.trim()]);
  const { event, data = "" } = Object.fromEntries(fields);
  return { event, ...(data !== "" && { data: contentOf(data) }) };
}

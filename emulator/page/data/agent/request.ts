/** Requests to an agent server, as any client of it sends them. */

/** Of a response that is shown as its error. */
const MAX_ERROR_LENGTH = 500;

/** An error in the words of the agent. */
export class AgentError extends Error {
  /** `status` is 0 if there was no response. */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface AgentAccess {
  deploymentId: string;
  /** Empty: no credentials. */
  key: string;
}

/** Sends a request. @throws AgentError unless the status is one of success */
export async function send(access: AgentAccess, method: string, path: string, body?: object): Promise<Response> {
  const { deploymentId, key } = access;
  const headers = { "content-type": "application/json", ...(key !== "" && { "x-api-key": key }) };
  const url = `/agents/${encodeURIComponent(deploymentId)}${path}`;
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) }).catch((error) => {
    throw new AgentError(0, `The request could not be sent: ${error.message}`);
  });
  if (response.ok) return response;
  const text = await response.text();
  throw new AgentError(response.status, `${response.status}: ${describe(parse(text), text)}`);
}

/** Returns a body that must be JSON. @throws AgentError */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  const json = parse(text);
  if (json !== undefined) return json;
  throw new AgentError(response.status, `The response is not JSON: ${text.slice(0, MAX_ERROR_LENGTH)}`);
}

/** Whether a server does not have a route; or not the object that the path names, which another request shows. */
export const isMissing = ({ status }: AgentError): boolean => status === 404 || status === 405;

/** @returns undefined if the agent has no such route, or returns something else there. */
export async function list(access: AgentAccess, path: string, body: object) {
  const found = await send(access, "POST", path, body).then(readJson, (error: AgentError) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  return Array.isArray(found) ? found.map((item) => Object(item) as Record<string, unknown>) : undefined;
}

function describe(json: unknown, text: string): string {
  const { detail, error, message } = Object(json);
  const words = detail === undefined ? [error, message].filter((part) => typeof part === "string").join(": ") : detail;
  return ((typeof words === "string" ? words : JSON.stringify(words)) || text || "The response is empty").slice(
    0,
    MAX_ERROR_LENGTH,
  );
}

/** @returns undefined if the text is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks whether a server is reachable and accepts the API key; explains a rejection or a missing response. */
import { HttpError } from "../../provider/http/errors";
import type { Check } from "./check";

const id = "answers";

export async function answering(ask: () => Promise<unknown>): Promise<Check> {
  try {
    await ask();
    return { id, status: "ok", says: "reachable; API key accepted" };
  } catch (error) {
    if (!(error instanceof HttpError)) return { id, status: "fix", says: (error as Error).message };
    const [says, ...todo] = error.status === undefined ? silence(error) : refusal(error, error.status);
    const steps = [...(error.hint ? [error.hint] : []), ...todo];
    return { id, status: "fix", says, ...(steps.length > 0 && { todo: steps.join("\n") }) };
  }
}

type Explained = readonly [says: string, ...todo: string[]];

/** Explains that no response came. Hints are in the error. */
function silence({ code = "", detail, hint: advice }: HttpError): Explained {
  if (code.startsWith("ERR_SSL_")) return [`the server does not use TLS, but the URL is https (${code})`];
  const says = `no response: ${detail}`;
  return advice === undefined ? [says, "Check the URL, the network and proxies."] : [says];
}

/** Explains an error response. API keys expire (interface section 5), and a server may report that as an invalid key. */
function refusal({ detail, isUnsupportedRoute, isRetryable }: HttpError, status: number): Explained {
  if (status === 401)
    return [`API key rejected: ${detail}`, "The key may have expired: new API keys expire by default."];
  if (status === 403)
    return [`API key rejected: ${detail}`, "The key may also have expired: new API keys expire by default."];
  if (isUnsupportedRoute) return [`not a compatible API server: ${detail}`];
  const says = `responded with ${status}: ${detail}`;
  if (isRetryable) return [says, "Try again later. If the problem persists, contact the operators of the server."];
  // The detail already explains a response that is not of the API, such as a page or a redirect.
  if (status < 400) return [says];
  return [says, "The server rejected the request. Check the settings that it names."];
}

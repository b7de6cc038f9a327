/** Checks whether a server is reachable and accepts the API key; explains a rejection or a missing response. */
import { HttpError } from "../../provider/http/errors";
import type { Check } from "./check";

const id = "connection";

export async function checkConnectivity(sendRequest: () => Promise<unknown>): Promise<Check> {
  try {
    await sendRequest();
    return { id, status: "ok", message: "reachable; API key accepted" };
  } catch (error) {
    if (!(error instanceof HttpError)) return { id, status: "fix", message: (error as Error).message };
    const [message, ...remedies] =
      error.status === undefined ? explainNoResponse(error) : explainRejection(error, error.status);
    const steps = [...(error.advice ? [error.advice] : []), ...remedies];
    return { id, status: "fix", message, ...(steps.length > 0 && { remedy: steps.join("\n") }) };
  }
}

type Explanation = readonly [message: string, ...remedies: string[]];

/** Explains that no response came. Hints are in the error. */
function explainNoResponse({ code = "", detail, hint }: HttpError): Explanation {
  if (code.startsWith("ERR_SSL_")) return [`the server does not use TLS, but the URL is https (${code})`];
  const message = `no response: ${detail}`;
  return hint === undefined ? [message, "Check the URL, the network and proxies."] : [message];
}

/** Explains an error response. API keys expire (API `5.item 4`), and a server may report that as an invalid key. */
function explainRejection({ quote, isUnsupportedRoute, isRetryable }: HttpError, status: number): Explanation {
  if (status === 401 || status === 403) {
    return [`API key rejected: ${quote}`, "By default, new API keys expire."];
  }
  if (isUnsupportedRoute) return [`not a compatible API server: ${quote}`];
  const message = `responded with ${status}: ${quote}`;
  if (isRetryable) return [message, "Try again later. If the problem persists, contact the operators of the server."];
  // The detail already explains a response that is not of the API, such as a page or a redirect.
  if (status < 400) return [message];
  return [message, "The server rejected the request. Check the settings that it names."];
}

/** Whether a server answers: what its refusal, or its silence, means, and what to do about it. */
import { HttpError } from "../../provider/http/errors";
import type { Check } from "./check";

const id = "answers";

export async function answering(ask: () => Promise<unknown>): Promise<Check> {
  try {
    await ask();
    return { id, status: "ok", says: "answers, and takes the key" };
  } catch (error) {
    if (!(error instanceof HttpError)) return { id, status: "fix", says: (error as Error).message };
    const [says, ...todo] = error.status === undefined ? silence(error) : refusal(error, error.status);
    const steps = [...(error.hint ? [error.hint] : []), ...todo];
    return { id, status: "fix", says, ...(steps.length > 0 && { todo: steps.join("\n") }) };
  }
}

type Explained = readonly [says: string, ...todo: string[]];

/** No response came: what to try stands in the error. */
function silence({ code = "", detail, hint: advice }: HttpError): Explained {
  if (code.startsWith("ERR_SSL_")) return [`does not use TLS, but the URL is https (${code})`];
  const says = `does not answer: ${detail}`;
  return advice === undefined ? [says, "Check the URL, the network, and proxies in between."] : [says];
}

/** Keys end by themselves (interface section 5), and a service may call that a wrong key. */
function refusal({ detail, isUnsupportedRoute, isRetryable }: HttpError, status: number): Explained {
  if (status === 401) return [`refuses the key: ${detail}`, "New API keys expire by default."];
  if (status === 403)
    return [`refuses the key: ${detail}`, "It may also have expired: new API keys expire by default."];
  if (isUnsupportedRoute) return [`does not know the interface: ${detail}`];
  const says = `answers ${status}: ${detail}`;
  if (isRetryable) return [says, "Try again later; if it stays so, ask those who run the service."];
  // What came in place of an answer is explained already: a page, or the way to another address.
  if (status < 400) return [says];
  return [says, "It refuses what it was sent: check the settings that it names."];
}

/** Whether a server answers: what its refusal, or its silence, means, and what to do about it. */
import { RequestError } from "../../provider/http/errors";
import type { Check } from "./check";

const id = "answers";

export async function answering(ask: () => Promise<unknown>): Promise<Check> {
  try {
    await ask();
    return { id, status: "ok", says: "answers, and takes the key" };
  } catch (error) {
    if (!(error instanceof RequestError)) return { id, status: "fix", says: (error as Error).message };
    const [says, ...todo] = error.status === undefined ? silence(error) : refusal(error, error.status);
    const steps = [...(error.advice ? [error.advice] : []), ...todo];
    return { id, status: "fix", says, ...(steps.length > 0 && { todo: steps.join("\n") }) };
  }
}

type Explained = readonly [says: string, ...todo: string[]];

/** No answer came: the code of the network's error says why. */
function silence({ code = "", detail }: RequestError): Explained {
  const says = `does not answer: ${detail}`;
  if (code === "ENOTFOUND")
    return [says, "There is no host of that name: check the URL, and the network's name server."];
  if (code.startsWith("ERR_SSL_"))
    return [`speaks no TLS where the URL says https (${code})`, "Check the port of the URL, and proxies in between."];
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return [says, "Its certificate is of another host: write a name that it holds into the URL."];
  if (code === "CERT_HAS_EXPIRED") return [says, "Its certificate has expired: ask those who run the service."];
  if (/CERT|SIGNATURE/.test(code))
    return [
      says,
      "Node does not trust its certificate: name the file with that of its authority in the environment variable NODE_EXTRA_CA_CERTS.",
    ];
  return [says, "Check the URL, the network, and proxies in between."];
}

/** Keys end by themselves (interface section 5), and a service may call that a wrong key. */
function refusal({ detail, maybeMissingRoute, isTransient }: RequestError, status: number): Explained {
  if (status === 401)
    return [
      `refuses the key: ${detail}`,
      "It is expired, revoked or not of this service; new keys expire by default. Make a new one, and set it where this one came from.",
    ];
  if (status === 403)
    return [
      `refuses the key: ${detail}`,
      "Check that it is a key of this service, may act in this workspace, and has not expired: new keys expire by default.",
    ];
  if (maybeMissingRoute)
    return [
      `does not know the interface: ${detail}`,
      "Check that the URL names the service itself, with its base path and nothing more.",
    ];
  const says = `answers ${status}: ${detail}`;
  if (isTransient) return [says, "Try again later; if it stays so, ask those who run the service."];
  // What came in place of an answer is explained already: a page, or the way to another address.
  if (status < 400) return [says];
  return [says, "It refuses what it was sent: check the settings that it names."];
}

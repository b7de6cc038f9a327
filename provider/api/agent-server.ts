/** The agent server of a deployment (interface section 4 B). */
import type { Door } from "../http/door";
import { RequestError } from "../http/errors";

/** One look at /ok. A 404 counts as ready: the interface has no such route, and a server that answers it is up. */
export async function isAgentOk(door: Door): Promise<boolean> {
  try {
    await door.send({ method: "GET", path: "/ok" });
    return true;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.isNotFound || error.isDenied;
  }
}

/** Whether an agent server is healthy (API `4B.GET /ok`). */
import type { HttpClient } from "../../http/client";
import { HttpError } from "../../http/errors";

/**
 * Requests /ok once. The interface has no such route, so a server that lacks it may be healthy and support nothing
 * beyond the interface.
 * @throws HttpError when the server is not healthy.
 */
export async function checkHealth(http: HttpClient): Promise<"healthy" | "unsupported"> {
  try {
    await http.send({ method: "GET", path: "/ok" });
    return "healthy";
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.isUnsupportedRoute) return "unsupported";
    if (error.isUnauthorized) return "healthy";
    throw error;
  }
}

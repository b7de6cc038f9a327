/** A check that sends one request to the agent server. */
import type { HttpResponse } from "../../../http/client";
import { tryOr } from "../../../text/try-or";
import { UserError } from "../../../text/user-error";
import type { HttpCheck } from "../schema/verify";
import type { CheckRun, Mismatch } from "./check-run";
import { type AttemptOptions, compare } from "./expectation";

export async function checkHttp(
  { path, method, headers, body, expect = {} }: HttpCheck,
  { server }: CheckRun,
  { timeoutMs, show }: AttemptOptions,
): Promise<Mismatch | undefined> {
  const { pathname, search } = new URL(`http://agent${path}`);
  const response = await server.probe({
    method: method ?? (body === undefined ? "GET" : "POST"),
    path: pathname,
    search: search.slice(1),
    timeoutMs,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  });
  const { status, text = "", json } = response;
  const isExpected = expect.status === undefined ? status >= 200 && status < 300 : status === expect.status;
  if (isExpected) return compare(expect, { text, json }, show);
  return {
    expected: expect.status === undefined ? "a status from 200 to 299" : `status ${expect.status}`,
    actual: describeResponse(response),
  };
}

/** Headers that the client sets, and with other values would break the request. */
const OWN_HEADERS = /^(content-length|expect|keep-alive|transfer-encoding|upgrade)$/i;

/** @throws UserError for a header that cannot be sent. The message does not contain its value, which may be secret. */
export function assertHeaders({ headers = {} }: HttpCheck): void {
  for (const [name, value] of Object.entries(headers))
    if (OWN_HEADERS.test(name) || !tryOr(() => new Headers([[name, value]]), undefined))
      throw new UserError(
        `The header ${JSON.stringify(name)} of a check in verify cannot be sent. Use a valid name that ` +
          "does not describe the body, and a value of one line.",
      );
}

export function describeResponse({ status, text = "", location }: HttpResponse): string {
  if (status >= 300 && status < 400 && location)
    return `status ${status}, a redirect to ${location}, which is not followed`;
  const body = text.replace(/\s+/g, " ").trim();
  return body === "" ? `status ${status}` : `status ${status}: ${body}`;
}

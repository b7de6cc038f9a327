import { object, required, string } from "./validation/schema";

/** One entry of a 422 response: API `2A.ValidationError`. */
export interface ValidationError {
  type: string;
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

/** An error response: `detail` is a string for 400, 403, 404 and 409, and a list for 422. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly detail: string | ValidationError[],
    readonly headers: Record<string, string> = {},
  ) {
    super(typeof detail === "string" ? detail : detail.map((problem) => problem.msg).join("; "));
  }
}

/** The error of a request that was applied in part: what it changed before it failed stays. */
export class PartialError extends ApiError {}

/** The body of an error whose `detail` is a string. */
export const errorSchema = object("Error", { detail: required(string()) });

/** Turns a list in `detail` into a string; leaves other errors unchanged. */
export function withTextDetail(error: unknown): unknown {
  if (!(error instanceof ApiError) || typeof error.detail === "string") return error;
  const text = error.detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
  return new ApiError(error.status, text, error.headers);
}

/** Returns the code of a Node.js error, such as "ENOENT" or "Z_DATA_ERROR". */
export function errorCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
}

/** A mistake in the options or the environment. Its message is shown to the user without a stack trace. */
export class UsageError extends Error {}

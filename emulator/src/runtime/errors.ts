import { object, required, string } from "./validation/schema";

/** One entry of a 422 answer: ValidationError of interface.md section 2. */
export interface Problem {
  type: string;
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

/** An answer that is not a success: `detail` is a text for 400, 403, 404 and 409 and a list for 422. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly detail: string | Problem[],
    readonly headers: Record<string, string> = {},
  ) {
    super(typeof detail === "string" ? detail : detail.map((problem) => problem.msg).join("; "));
  }
}

/** The body of an error whose `detail` is a text. */
export const plainError = object("Error", { detail: required(string()) });

/** The error with a text for its `detail`, where that is a list. */
export function withText(error: unknown): unknown {
  if (!(error instanceof ApiError) || typeof error.detail === "string") return error;
  const text = error.detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
  return new ApiError(error.status, text, error.headers);
}

/** The code of an error of Node ("ENOENT", "Z_DATA_ERROR"), if it is one. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
}

/** A mistake in how the emulator was started: its message is one sentence for a person. */
export class UsageError extends Error {}

import type { Context } from "../runtime/context";
import type { ApiError } from "../runtime/errors";
import type { Settings } from "../runtime/options";
import type { Fields, Schema } from "../runtime/validation/schema";

/** A request that passed authentication and validation. */
export interface ApiRequest<Q = Record<string, unknown>> {
  params: Record<string, string>;
  query: Q;
  body: unknown;
  /** The raw body, for routes that accept bytes. */
  bytes: Buffer;
  header(name: string): string | undefined;
  tenantId: string;
  /** The result of the route's `prepare`. */
  prepared: unknown;
  /** The origin that the client used, for URLs in responses. */
  origin: string;
  /** Adds an error to the 422 response; `loc` is in neutral names. */
  addIssue(loc: readonly (string | number)[], message: string): void;
  /** Responds with 422 now if there are errors. */
  throwIfIssues(): void;
  /** Adds a note to the request log. */
  addNote(text: string): void;
}

export interface ApiResponse {
  status: number;
  /** In neutral terms. Default: no body. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Writes the body in place of `body`. */
  stream?: Stream;
}

/** Writes a body piece by piece; `gone` aborts when the client disconnects. */
export type Stream = (send: (text: string) => void, disconnected: AbortSignal) => Promise<void>;

/** A response as it is sent. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  text: string | null;
  /** Writes the body in place of `text`. */
  stream?: Stream;
}

interface Success {
  status: number;
  schema?: Schema;
  description: string;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The part of an operation that the router needs. */
export interface Endpoint {
  method: Method;
  /** In neutral terms, with parameters in braces. */
  path: string;
  /** A GET also answers HEAD, without a body. */
  answersHead?: boolean;
}

/** One operation of the platform; the source of routing, validation and /openapi.json. */
export interface Route extends Endpoint {
  summary: string;
  /** The name that `--without` uses. */
  name: string;
  /**
   * Whether the platform's own description contains the operation: its certainty in docs/platform-api/ is `described`.
   * The others are not part of `--interface-only`.
   */
  isDescribed: boolean;
  query?: Fields;
  body?: Schema;
  bodyOptional?: boolean;
  /** The largest body in bytes; default: `limits.body.maxBytes`. */
  maxBodyBytes?: number;
  /** Reads a body as JSON, whatever its content type says. */
  ignoresContentType?(settings: Settings): boolean;
  /** The path with a slash at its end leads here, by a redirect. */
  redirectsSlash?(settings: Settings): boolean;
  /** Bodies contain numbers and booleans as such, never as texts. */
  hasExactTypes?: boolean;
  /** Accepts bytes in place of JSON. */
  rawBody?: { contentType: string; maxBytes: number };
  /** Requires no credentials. */
  isPublic?: boolean;
  /** Requires the key and the workspace in separate headers, as the tracing API does (API `5.item 2`). */
  requiresBothHeaders?: boolean;
  /** The `detail` of errors is a string, even for 422 (API `7:threads.detail`). */
  hasTextErrors?: boolean;
  /** Formats errors otherwise than FastAPI does; undefined leaves an error as it is. */
  formatError?(context: Context, error: ApiError): HttpResponse | undefined;
  /** Path parameters that are any text; all others are UUIDs. */
  textParams?: readonly string[];
  /** Authorizes the request before validation. @throws ApiError */
  authorize?(context: Context, params: Record<string, string>, header: ApiRequest["header"]): void;
  /** Checks that the installation supports the operation. @throws ApiError */
  assertAvailable?(settings: Settings): void;
  success: Success;
  /** The response of a partial success. */
  partialSuccess?: Success;
  /** Error statuses specific to this operation. */
  errors?: readonly number[];
  /**
   * Asynchronous work such as calling another server, after validation and before the transaction, which may see a
   * newer state.
   */
  prepare?: Prepare;
  handle: Handler;
}

// Method syntax allows a handler to declare the narrower query of its route.
type Prepare = { prepare(context: Context, request: ApiRequest, signal: AbortSignal): Promise<unknown> }["prepare"];
type Handler = { handle(context: Context, request: ApiRequest): ApiResponse }["handle"];

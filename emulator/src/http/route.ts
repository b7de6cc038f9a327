import type { Context } from "../runtime/context";
import type { Settings } from "../runtime/options";
import type { Fields, Schema } from "../runtime/validation/schema";

/** What a handler knows of a request that passed authentication and validation. */
export interface Call<Q = Record<string, unknown>> {
  params: Record<string, string>;
  query: Q;
  body: unknown;
  /** The body as it came, for routes that take bytes. */
  bytes: Buffer;
  header(name: string): string | undefined;
  tenantId: string;
  /** What the route's `prepare` found out. */
  prepared: unknown;
  /** Where the client found the emulator, for the urls in answers. */
  origin: string;
  /** Adds a rule's finding to the 422 answer; `loc` in neutral words. */
  problem(loc: (string | number)[], message: string): void;
  /** Answers 422 now if there were findings. */
  refuseProblems(): void;
  /** Leaves a remark in the journal. */
  note(remark: string): void;
}

export interface Answer {
  status: number;
  /** In neutral words; undefined: no body. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Writes the body instead, as long as it takes. */
  stream?: Stream;
}

/** A body that comes piece by piece; `gone` says that nobody reads it any more. */
export type Stream = (send: (text: string) => void, gone: AbortSignal) => Promise<void>;

interface Success {
  status: number;
  schema?: Schema;
  description: string;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What the router has to know of an operation. */
export interface Endpoint {
  method: Method;
  /** In neutral words, parameters in braces. */
  path: string;
}

/** One operation of the platform. The router, the check of requests and /openapi.json all come from these. */
export interface Route extends Endpoint {
  summary: string;
  /** The name by which `--without` switches it off. */
  name: string;
  /** Stands in interface.md itself, not only in interface-notes.md. */
  inInterface: boolean;
  query?: Fields;
  body?: Schema;
  /** The body may be left out. */
  bodyOptional?: boolean;
  /** Takes bytes instead of JSON. */
  raw?: { contentType: string; maxBytes: number };
  /** Asks for no credentials. */
  open?: boolean;
  /** Wants key and workspace each in its own header: part C (interface.md section 5). */
  bothHeaders?: boolean;
  /** The `detail` of its errors is a text, for 422 too (interface-notes.md section 4). */
  textErrors?: boolean;
  /** Throws ApiError for whom it does not let in, before anything is checked. */
  gate?(context: Context, params: Record<string, string>, header: Call["header"]): void;
  /** Throws ApiError where the installation does not offer it. */
  guard?(settings: Settings): void;
  success: Success;
  /** Where it can succeed in part. */
  partial?: Success;
  /** Statuses of errors that are particular to it. */
  errors?: readonly number[];
  /** What takes time, such as asking another server: after all checks and before the transaction, which may find another state. */
  prepare?: Prepare;
  handle: Handler;
}

// Methods, so that a handler may ask for the narrower query that its route's `query` lets through.
type Prepare = { prepare(context: Context, call: Call, signal: AbortSignal): Promise<unknown> }["prepare"];
type Handler = { handle(context: Context, call: Call): Answer }["handle"];

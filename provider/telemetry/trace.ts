/** What an operation records about itself, for a trace. */

export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface SpanOptions {
  /** One of few, so that spans of one name can be compared. */
  name: string;
  attributes?: Attributes;
  /** `client`: a request to a server. Default: internal. */
  kind?: "client" | "internal";
  /** How long ago it began. Milliseconds. Default: 0. */
  agoMs?: number;
  /** Whether the request log has it as well, among the requests. Default: no. */
  isLogged?: boolean;
  /** Removes secrets from all texts of the span and of those below it. Default: as the span above it. */
  clean?: ((text: string) => string) | undefined;
}

export interface OpenSpan {
  /** Identifies the span in requests, as the header `traceparent` of W3C Trace Context. */
  readonly traceparent: string;
  set(attributes: Attributes): void;
  fail(message: string, type?: string): void;
  /** Ends the span, unless it has ended. @param agoMs How long ago it ended. Milliseconds. Default: 0. */
  end(agoMs?: number): void;
}

export type StepSpan = Pick<OpenSpan, "set" | "fail">;

/** Every method does nothing but run the action, unless the engine asks for traces. */
export interface Trace {
  readonly isRecording: boolean;
  /** Runs an action as part of the trace of the caller that sent this `traceparent`. */
  continueFrom<T>(traceparent: string | undefined, act: () => T): T;
  span<T>(options: SpanOptions, act: (span?: StepSpan) => Promise<T>): Promise<T>;
  /** Starts a span below the current one that `end` ends. Undefined when nothing is recorded. */
  start(options: SpanOptions): OpenSpan | undefined;
  event(name: string, attributes?: Attributes): void;
  /** Adds attributes to the span of the operation, which is above all others. */
  describe(attributes: Attributes): void;
  /** Exports what was recorded so far. Takes at most two seconds. */
  flush(): Promise<void>;
  /** Ends all spans, because the process ends, and exports them. Takes at most two seconds. */
  close(): Promise<void>;
}

export const NO_TRACE: Trace = {
  isRecording: false,
  continueFrom: (_, act) => act(),
  span: (_, act) => act(),
  start: () => undefined,
  event: () => undefined,
  describe: () => undefined,
  flush: async () => undefined,
  close: async () => undefined,
};

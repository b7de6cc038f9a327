/** Sends spans to a collector over gRPC, in the background. After a failure, it gives up: traces never stop a run. */
import type * as Grpc from "@grpc/grpc-js";
import type * as Protobuf from "google-protobuf";
import { isLoopback } from "../http/loopback";
import { messageOf } from "../text/user-error";
import { type GrpcModules, WITHOUT_PROXY } from "./sdk-modules";
import type { Attributes } from "./trace";
import type { FinishedSpan, SpanSink } from "./tracer";

const METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
/** How long spans wait for others. */
const DELAY_MS = 1000;
const BATCH_SIZE = 500;
/** How long a request may take. The warning should appear during the run: the engine no longer shows one at its end. */
const REQUEST_TIMEOUT_MS = 5000;
/** How long the end of a process waits, including the time for which a request has already waited. */
const FLUSH_TIMEOUT_MS = 2000;
/** In this time, a process that was busy reads the response that has arrived. */
const MIN_FLUSH_TIMEOUT_MS = 100;
/** Spans that wait while the collector is slow. Each has about a kilobyte. */
const MAX_WAITING = 10_000;

export interface ExporterOptions {
  /** `host:port`, to which gRPC connects without TLS. */
  endpoint: string;
  modules: GrpcModules;
  resource: Attributes;
  /** Called once, when spans were lost. */
  warn(text: string): void;
}

/** @public Loaded on demand. */
export class SpanExporter implements SpanSink {
  private client: Grpc.Client | undefined;
  private waiting: FinishedSpan[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;
  /** When the request that is not answered yet was sent. Milliseconds since the epoch. */
  private sentAt: number | undefined;
  private hasFailed = false;

  constructor(private readonly options: ExporterOptions) {}

  add(span: FinishedSpan): void {
    if (this.hasFailed) return;
    this.waiting.push(span);
    if (this.waiting.length > MAX_WAITING) this.giveUp("does not accept spans as fast as they are recorded");
    else if (this.waiting.length >= BATCH_SIZE) void this.send();
    // A process that has nothing else to do exports when it ends.
    else this.timer ??= setTimeout(() => void this.send(), DELAY_MS).unref();
  }

  async flush(): Promise<void> {
    if (this.hasFailed) return;
    const deadline = Promise.withResolvers<"late">();
    const now = Date.now();
    const timeoutMs = Math.max(FLUSH_TIMEOUT_MS - (now - (this.sentAt ?? now)), MIN_FLUSH_TIMEOUT_MS);
    const timer = setTimeout(deadline.resolve, timeoutMs, "late");
    const result = await Promise.race([this.send(), deadline.promise]);
    clearTimeout(timer);
    if (result === "late") this.giveUp(didNotRespond(FLUSH_TIMEOUT_MS));
  }

  private async send(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sending ??= this.sendBatches().finally(() => {
      this.sending = undefined;
    });
    await this.sending;
  }

  private async sendBatches(): Promise<void> {
    while (this.waiting.length > 0) {
      const problem = await this.sendBatch(this.waiting.splice(0, BATCH_SIZE));
      if (problem !== undefined) return this.giveUp(problem);
    }
  }

  /** Returns what went wrong, in words that follow the name of the collector. */
  private async sendBatch(spans: readonly FinishedSpan[]): Promise<string | undefined> {
    const { modules, resource } = this.options;
    this.sentAt = Date.now();
    try {
      await this.request(Buffer.from(encodeSpans(modules.protobuf, resource, spans)));
      return undefined;
    } catch (error) {
      return describeProblem(error as Partial<Grpc.ServiceError>, modules.grpc);
    } finally {
      this.sentAt = undefined;
    }
  }

  /** @throws Error also for an endpoint that is not an address. */
  private async request(bytes: Buffer): Promise<void> {
    const { endpoint, modules } = this.options;
    const { Client, credentials, Metadata } = modules.grpc;
    this.client ??= new Client(endpoint, credentials.createInsecure(), isLocal(endpoint) ? WITHOUT_PROXY : {});
    const { client } = this;
    const deadline = Date.now() + REQUEST_TIMEOUT_MS;
    const keep = (buffer: Buffer) => buffer;
    await new Promise<void>((resolve, reject) => {
      client.makeUnaryRequest(METHOD, keep, keep, bytes, new Metadata(), { deadline }, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  private giveUp(problem: string): void {
    this.waiting = [];
    if (!this.hasFailed) this.options.warn(`Traces are incomplete: the collector ${this.options.endpoint} ${problem}.`);
    this.hasFailed = true;
    this.client?.close();
  }
}

function isLocal(endpoint: string): boolean {
  const url = URL.parse(`http://${endpoint}`);
  return url !== null && isLoopback(url);
}

const didNotRespond = (timeoutMs: number) => `did not respond within ${timeoutMs / 1000} s`;

function describeProblem(error: Partial<Grpc.ServiceError>, { status }: typeof Grpc): string {
  const message = error.details || messageOf(error);
  if (error.code === status.DEADLINE_EXCEEDED) return didNotRespond(REQUEST_TIMEOUT_MS);
  if (typeof error.code === "number" && error.code !== status.UNAVAILABLE) return `does not accept them: ${message}`;
  // gRPC wraps the error of the network in sentences of its own.
  return `is not reachable: ${/Last error: (?:Error: )?(.+?)\.* Resolution note:/.exec(message)?.[1] ?? message}`;
}

const KINDS = { internal: 1, client: 3 };
const STATUS_ERROR = 2;
/** The flag of a span whose trace is sampled. */
const SAMPLED = 1;

type Writer = Protobuf.BinaryWriter;
type Encode<T> = (value: T, writer: Writer) => void;

/** @param resource What all spans have in common, such as `service.name`. */
function encodeSpans(
  { BinaryWriter }: typeof Protobuf,
  resource: Attributes,
  spans: readonly FinishedSpan[],
): Uint8Array {
  const request = new BinaryWriter();
  const encodeResource: Encode<Attributes> = (attributes, writer) => writeAttributes(writer, 1, attributes);
  const encodeScope: Encode<Attributes> = (attributes, writer) => {
    writer.writeString(1, String(attributes["service.name"]));
    writer.writeString(2, String(attributes["service.version"]));
  };
  request.writeMessage(1, spans, (_, resourceSpans: Writer) => {
    resourceSpans.writeMessage(1, resource, encodeResource);
    resourceSpans.writeMessage(2, spans, (_, scopeSpans: Writer) => {
      scopeSpans.writeMessage(1, resource, encodeScope);
      for (const span of spans) scopeSpans.writeMessage(2, span, encodeSpan);
    });
  });
  return request.getResultBuffer();
}

const encodeSpan: Encode<FinishedSpan> = (span, writer) => {
  writer.writeBytes(1, bytesOf(span.traceId));
  writer.writeBytes(2, bytesOf(span.id));
  if (span.parentId !== undefined) writer.writeBytes(4, bytesOf(span.parentId));
  writer.writeString(5, span.name);
  writer.writeEnum(6, KINDS[span.kind]);
  writer.writeFixed64String(7, nanoseconds(span.startedAt));
  writer.writeFixed64String(8, nanoseconds(span.endedAt));
  writeAttributes(writer, 9, span.attributes);
  for (const event of span.events) writer.writeMessage(11, event, encodeEvent);
  if (span.error !== undefined)
    writer.writeMessage(15, span.error, (message: string, status: Writer) => {
      status.writeString(2, message);
      status.writeEnum(3, STATUS_ERROR);
    });
  writer.writeFixed32(16, SAMPLED);
};

const encodeEvent: Encode<FinishedSpan["events"][number]> = ({ time, name, attributes }, writer) => {
  writer.writeFixed64String(1, nanoseconds(time));
  writer.writeString(2, name);
  writeAttributes(writer, 3, attributes);
};

function writeAttributes(writer: Writer, field: number, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    writer.writeMessage(field, value, (_, pair: Writer) => {
      pair.writeString(1, key);
      pair.writeMessage(2, value, encodeValue);
    });
  }
}

const encodeValue: Encode<NonNullable<Attributes[string]>> = (value, writer) => {
  if (typeof value === "string") writer.writeString(1, value);
  else if (typeof value === "boolean") writer.writeBool(2, value);
  else if (typeof value !== "number")
    writer.writeMessage(5, value, (texts: readonly string[], list: Writer) => {
      for (const text of texts) list.writeMessage(1, text, encodeValue);
    });
  else if (Number.isInteger(value)) writer.writeInt64(3, value);
  else writer.writeDouble(4, value);
};

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));

const nanoseconds = (milliseconds: number) => String(BigInt(Math.round(milliseconds * 1000)) * 1000n);

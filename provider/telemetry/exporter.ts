/** Sends spans to a collector over gRPC, in the background. After a failure, it gives up: traces never stop a run. */
import type * as Grpc from "@grpc/grpc-js";
import type * as Protobuf from "google-protobuf";
import { encodeSpans } from "./otlp";
import type { Attributes } from "./trace";
import type { FinishedSpan, SpanSink } from "./tracer";

const METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
/** How long spans wait for others. */
const DELAY_MS = 1000;
/** Spans of one request. */
const BATCH_SIZE = 500;
/** How long a request may take. */
const REQUEST_TIMEOUT_MS = 10_000;
/** How long the end of a process waits. */
const FLUSH_TIMEOUT_MS = 2000;
/** Spans that wait while the collector is slow. Each has about a kilobyte. */
const MAX_WAITING = 10_000;

export interface ExporterOptions {
  /** `host:port`, to which gRPC connects without TLS. */
  endpoint: string;
  modules: { grpc: typeof Grpc; protobuf: typeof Protobuf };
  /** What all spans have in common. */
  resource: Attributes;
  /** Called once, when spans were lost. */
  warn(text: string): void;
}

/** @public Loaded on demand. */
export class SpanExporter implements SpanSink {
  private readonly client: Grpc.Client;
  private waiting: FinishedSpan[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;
  private hasFailed = false;

  constructor(private readonly options: ExporterOptions) {
    const { grpc } = options.modules;
    this.client = new grpc.Client(options.endpoint, grpc.credentials.createInsecure());
  }

  add(span: FinishedSpan): void {
    if (this.hasFailed) return;
    this.waiting.push(span);
    if (this.waiting.length > MAX_WAITING) this.giveUp("it does not accept spans as fast as they are recorded");
    else if (this.waiting.length >= BATCH_SIZE) void this.send();
    // A process that has nothing else to do exports when it ends.
    else this.timer ??= setTimeout(() => void this.send(), DELAY_MS).unref();
  }

  async flush(): Promise<void> {
    const deadline = Promise.withResolvers<"late">();
    const timer = setTimeout(deadline.resolve, FLUSH_TIMEOUT_MS, "late");
    const result = await Promise.race([this.send(), deadline.promise]);
    clearTimeout(timer);
    if (result === "late") this.giveUp(`it did not respond within ${FLUSH_TIMEOUT_MS / 1000} s`);
  }

  /** Sends all spans that wait, also those that are added meanwhile. */
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

  /** Returns what went wrong. */
  private sendBatch(spans: readonly FinishedSpan[]): Promise<string | undefined> {
    const { modules, resource } = this.options;
    const { grpc, protobuf } = modules;
    const bytes = Buffer.from(encodeSpans(protobuf, resource, spans));
    const deadline = Date.now() + REQUEST_TIMEOUT_MS;
    const keep = (buffer: Buffer) => buffer;
    return new Promise((resolve) => {
      this.client.makeUnaryRequest(METHOD, keep, keep, bytes, new grpc.Metadata(), { deadline }, (error) =>
        resolve(error ? error.details || error.message : undefined),
      );
    });
  }

  private giveUp(problem: string): void {
    this.waiting = [];
    if (!this.hasFailed)
      this.options.warn(`Traces are incomplete: the collector ${this.options.endpoint}: ${problem}.`);
    this.hasFailed = true;
    this.client.close();
  }
}

/** Records spans. Which span is the current one follows the asynchronous calls of its action. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import type { Clock } from "../http/clock";
import { cleanerOf } from "../text/clean";
import type { Attributes, OpenSpan, SpanOptions, StepSpan, Trace } from "./trace";

/** Times are in milliseconds since the epoch. */
export interface FinishedSpan {
  traceId: string;
  id: string;
  parentId: string | undefined;
  name: string;
  kind: "client" | "internal";
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  events: readonly { name: string; time: number; attributes: Attributes }[];
  /** The first line of its error; empty when the error has no message. Undefined after a success. */
  error: string | undefined;
}

export interface SpanSink {
  add(span: FinishedSpan): void;
  flush(): Promise<void>;
}

interface Parent {
  traceId: string;
  id: string | undefined;
  isSampled: boolean;
}

interface Current {
  parent: Parent;
  /** Undefined below a span of another process. */
  span?: RecordedSpan;
  operation?: RecordedSpan;
}

export interface TracerOptions {
  clock: Clock;
  sink: SpanSink;
  /** The `traceparent` of the process that started this one. Default: none; the spans begin a trace of their own. */
  traceparent?: string | undefined;
  /** Added to each operation. */
  attributes?: Attributes;
}

/** @public Loaded on demand. */
export class Tracer implements Trace {
  readonly isRecording = true;
  private readonly current = new AsyncLocalStorage<Current>();
  private readonly open = new Set<RecordedSpan>();
  /** The operations of this process are roots of one trace, unless a caller has one. */
  private readonly root: Parent;
  /** What the monotonic clock lacks to be the time. One offset keeps spans in order when the system's clock is set. */
  private readonly offsetMs: number;

  constructor(private readonly options: TracerOptions) {
    const { clock, traceparent } = options;
    this.offsetMs = clock.now() - clock.monotonic();
    this.root = parse(traceparent) ?? { traceId: randomId(16), id: undefined, isSampled: true };
  }

  continueFrom<T>(traceparent: string | undefined, act: () => T): T {
    const parent = parse(traceparent);
    return parent ? this.current.run({ parent }, act) : act();
  }

  async span<T>(options: SpanOptions, act: (span: StepSpan) => Promise<T>): Promise<T> {
    const span = this.start(options);
    const { operation = span } = this.current.getStore() ?? {};
    try {
      return await this.current.run({ parent: span.identity, span, operation }, () => act(span));
    } catch (error) {
      if (error instanceof Error) span.fail(error.message, error.name);
      else span.fail(String(error));
      throw error;
    } finally {
      span.end();
    }
  }

  start({ name, kind = "internal", attributes = {}, agoMs = 0, clean }: SpanOptions): RecordedSpan {
    const { parent = this.root, span: above } = this.current.getStore() ?? {};
    const started = { ...parent, parentId: parent.id, id: randomId(8), name, kind, startedAt: this.now() - agoMs };
    const span = new RecordedSpan(started, {
      now: () => this.now(),
      clean: clean ?? above?.clean ?? ((text) => text),
      ended: (finished) => {
        this.open.delete(span);
        if (parent.isSampled) this.options.sink.add(finished);
      },
    });
    span.set({ ...(above ? {} : this.options.attributes), ...attributes });
    this.open.add(span);
    return span;
  }

  event(name: string, attributes: Attributes = {}): void {
    this.current.getStore()?.span?.event(name, attributes);
  }

  describe(attributes: Attributes): void {
    this.current.getStore()?.operation?.set(attributes);
  }

  flush(): Promise<void> {
    return this.options.sink.flush();
  }

  close(): Promise<void> {
    for (const span of this.open) span.fail("The process ended before.", "interrupted");
    return this.flush();
  }

  private now(): number {
    return this.options.clock.monotonic() + this.offsetMs;
  }
}

type StartedSpan = Pick<FinishedSpan, "parentId" | "name" | "kind" | "startedAt"> & Parent & { id: string };

class RecordedSpan implements OpenSpan {
  private attributes: Attributes = {};
  private readonly events: { name: string; time: number; attributes: Attributes }[] = [];
  private error: string | undefined;
  private hasEnded = false;
  readonly clean: (text: string) => string;

  constructor(
    private readonly started: StartedSpan,
    private readonly environment: { now(): number; clean(text: string): string; ended(span: FinishedSpan): void },
  ) {
    this.clean = environment.clean;
  }

  get identity(): Parent {
    return this.started;
  }

  get traceparent(): string {
    const { traceId, id, isSampled } = this.started;
    return `00-${traceId}-${id}-0${isSampled ? 1 : 0}`;
  }

  set(attributes: Attributes): void {
    this.attributes = { ...this.attributes, ...attributes };
  }

  event(name: string, attributes: Attributes): void {
    this.events.push({ name, time: this.environment.now(), attributes });
  }

  fail(message: string, type?: string): void {
    this.error = message;
    this.set({ "error.type": type });
    this.end();
  }

  end(agoMs = 0): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const { traceId, id, parentId, name, kind, startedAt } = this.started;
    const attributes = [this.attributes, ...this.events.map((event) => ({ name: event.name, ...event.attributes }))];
    const texts = attributes
      .flatMap(Object.values)
      .flat()
      .filter((value) => typeof value === "string");
    // Only now are all secrets known that the operation came across.
    const clean = cleanerOf([...texts, this.error ?? ""], this.clean);
    this.environment.ended({
      ...{ traceId, id, parentId, name, kind, startedAt },
      endedAt: this.environment.now() - agoMs,
      attributes: cleaned(this.attributes, clean),
      events: this.events.map(({ time, ...event }) => ({
        time,
        name: clean(event.name),
        attributes: cleaned(event.attributes, clean),
      })),
      // Cleaned first: in half of a secret that spans several lines, redaction would not recognize it.
      error: this.error === undefined ? undefined : (clean(this.error).split("\n", 1)[0] ?? ""),
    });
  }
}

const cleaned = (attributes: Attributes, clean: (text: string) => string): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => {
      if (typeof value === "string") return [key, clean(value)];
      return [key, typeof value === "object" ? value.map(clean) : value];
    }),
  );

const randomId = (bytes: number) => randomBytes(bytes).toString("hex");

const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})/;

function parse(traceparent: string | undefined): Parent | undefined {
  const [, traceId, id, flags = ""] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (traceId === undefined || id === undefined) return undefined;
  return { traceId, id, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

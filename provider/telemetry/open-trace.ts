/** Opens the trace of a process, if the engine asks for one. Everything else about traces is loaded only then. */
import { type Clock, realClock } from "../http/clock";
import { cleanMessage } from "../text/clean";
import { VERSION } from "../text/version";
import type { GrpcModules } from "./sdk-modules";
import { NO_TRACE, type Trace } from "./trace";

/** Where the engine of `pulumi up --otel-traces <url>` receives spans: `host:port`, for OTLP over gRPC. */
export const ENDPOINT = "PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT";

export const collectorOf = (environment: NodeJS.ProcessEnv): string | undefined => environment[ENDPOINT] || undefined;

export interface TraceOptions {
  environment?: NodeJS.ProcessEnv;
  /** The address of the engine. All processes of a run know it, so it connects their operations. */
  run?: string | undefined;
  loadModules(): GrpcModules;
  /** Default: that of the machine. */
  clock?: Clock;
  /** Called once, when spans were lost. Default: writes to stderr, which the engine shows. */
  warn?(text: string): void;
}

/** Returns the trace of this process. A signal to end the process exports it. */
export function openTrace(options: TraceOptions): Trace {
  const { environment = process.env, run, clock = realClock, warn = writeWarning } = options;
  const endpoint = collectorOf(environment);
  if (endpoint === undefined) return NO_TRACE;
  const { SpanExporter } = require("./exporter") as typeof import("./exporter");
  const { Tracer } = require("./tracer") as typeof import("./tracer");
  const resource = { "service.name": "pulumi-agentgraph", "service.version": VERSION };
  const sink = new SpanExporter({
    ...{ endpoint, modules: options.loadModules(), resource },
    warn: (text) => warn(cleanMessage(text)),
  });
  return new Tracer({ clock, sink, traceparent: environment.TRACEPARENT, attributes: { "agentgraph.run": run } });
}

export const writeWarning = (text: string) => void process.stderr.write(`warning: ${text}\n`);

/** How the engine ends its providers, how others do, and how Windows does. */
const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGBREAK"];

/** Exports a trace before a signal ends this process, which delays that by at most two seconds. */
export function exportBeforeExit(trace: Trace): void {
  if (trace === NO_TRACE) return;
  for (const signal of SIGNALS) process.once(signal, () => void trace.close().finally(() => process.exit(0)));
}

/** Sends lines to a resource's row in the display, without secrets: statuses, which the next one replaces, infos and warnings. */
import type * as Grpc from "@grpc/grpc-js";
import type { IEngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { WITHOUT_PROXY } from "../../telemetry/grpc-options";
import { cleanMessage } from "../../text/clean";
import { redact } from "../../text/redact";

export interface Report {
  /** Replaces the status on the row. */
  progress(urn: string, text: string): void;
  /** Adds a line to the row and the summary. */
  info(urn: string, text: string): void;
  /** An empty URN warns of the whole run. The display drops what a native plugin writes to stderr. */
  warn(urn: string, text: string): void;
  /** Adds a line to the log that `pulumi up --debug` shows. */
  debug(urn: string, text: string): void;
  /** Waits until all lines have reached the engine. */
  flush(): Promise<void>;
}

/** Redacts the secrets of a resource and of the settings in every line to the display. */
export class OutgoingText implements Report {
  private readonly secrets = new Map<string, Set<string>>();

  constructor(private readonly report: Report) {}

  /** Redacts these values in all text of this resource; in all text when the URN is empty. */
  protect(urn: string, values: Iterable<string>): void {
    const secretsFor = this.secrets.get(urn) ?? new Set();
    for (const value of values) secretsFor.add(value);
    this.secrets.set(urn, secretsFor);
  }

  /** Redacts a text without truncating it. */
  redact(urn: string, text: string): string {
    return redact(text, this.secretsFor(urn));
  }

  clean(urn: string, text: string): string {
    return cleanMessage(text, this.secretsFor(urn));
  }

  /** Shows a status on one line. */
  progress(urn: string, text: string): void {
    this.report.progress(urn, this.clean(urn, text).replace(/\s*\n\s*/g, " "));
  }

  info(urn: string, text: string): void {
    this.report.info(urn, this.clean(urn, text));
  }

  warn(urn: string, text: string): void {
    this.report.warn(urn, this.clean(urn, text));
  }

  debug(urn: string, text: string): void {
    this.report.debug(urn, this.clean(urn, text));
  }

  flush(): Promise<void> {
    return this.report.flush();
  }

  private secretsFor(urn: string): string[] {
    return [...(this.secrets.get("") ?? []), ...(urn === "" ? [] : (this.secrets.get(urn) ?? []))];
  }
}

type Severity = "DEBUG" | "INFO" | "WARNING";

const LOG_TIMEOUT_MS = 2000;

/**
 * Reports to the engine at an address. Without an address, or when the engine does not respond, lines are dropped.
 * @param loadGrpc Loads gRPC with the first line.
 * @param timeoutMs How long a line may delay a resource.
 */
export function engineReport(
  address: string | undefined,
  loadGrpc: () => typeof Grpc,
  timeoutMs = LOG_TIMEOUT_MS,
): Report {
  let engine: Engine | undefined;
  /**
   * The last line of each row that is on its way. The engine handles requests concurrently, so a line waits for the one
   * before it, or they would appear in another order.
   */
  const lastLines = new Map<string, Promise<boolean>>();
  const send = (urn: string, severity: Severity, ephemeral: boolean, text: string) => {
    if (!address || (urn === "" && severity !== "WARNING")) return;
    engine ??= openEngine(address, loadGrpc(), timeoutMs);
    const show = engine;
    const previous = lastLines.get(urn) ?? Promise.resolve(true);
    // If the engine does not respond, the lines that wait are dropped: together they delay a resource no longer than one.
    const line = previous.then((hasResponded) => hasResponded && show(urn, severity, ephemeral, text));
    lastLines.set(urn, line);
    void line.then(() => lastLines.get(urn) === line && lastLines.delete(urn));
  };
  return {
    progress: (urn, text) => send(urn, "INFO", true, text),
    info: (urn, text) => send(urn, "INFO", false, text),
    warn: (urn, text) => send(urn, "WARNING", false, text),
    debug: (urn, text) => send(urn, "DEBUG", false, text),
    flush: async () => {
      await Promise.all(lastLines.values());
    },
  };
}

/** Returns the address that the engine passes to its providers, after options for their logs and traces. */
export function engineAddress(argv: readonly string[] = process.argv): string | undefined {
  const last = argv.slice(2).at(-1) ?? "";
  return /^[\w.[\]:-]+:\d+$/.test(last) ? last : undefined;
}

/** Returns whether the engine responded in time. */
type Engine = (urn: string, severity: Severity, ephemeral: boolean, text: string) => Promise<boolean>;

function openEngine(address: string, grpc: typeof Grpc, timeoutMs: number): Engine {
  const { EngineClient } =
    require("@pulumi/pulumi/proto/engine_grpc_pb") as typeof import("@pulumi/pulumi/proto/engine_grpc_pb");
  const { LogRequest, LogSeverity } =
    require("@pulumi/pulumi/proto/engine_pb") as typeof import("@pulumi/pulumi/proto/engine_pb");
  const client: IEngineClient = new EngineClient(address, grpc.credentials.createInsecure(), WITHOUT_PROXY);
  return (urn, severity, ephemeral, text) =>
    new Promise((resolve) => {
      const request = new LogRequest();
      request.setUrn(urn);
      request.setSeverity(LogSeverity[severity]);
      request.setEphemeral(ephemeral);
      request.setMessage(text);
      client.log(request, new grpc.Metadata(), { deadline: Date.now() + timeoutMs }, (error) =>
        resolve(error?.code !== grpc.status.DEADLINE_EXCEEDED),
      );
    });
}

/** Sends lines without secrets to a resource's row: statuses, which the next one replaces, infos and warnings. */
import type * as Grpc from "@grpc/grpc-js";
import type { IEngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { WITHOUT_PROXY } from "../../telemetry/sdk-modules";
import { cleanMessage } from "../../text/clean";
import { type Redaction, redactionOf } from "../../text/redact";

/**
 * Which line of the display a text becomes. `progress`: the status of a row, in place of the one before. `info`,
 * `warn`: another line of the row and of the summary; the display drops what a native plugin writes to stderr. `debug`:
 * a line of the log that `pulumi up --debug` shows.
 */
export type LineKind = "progress" | "info" | "warn" | "debug";

export interface Report {
  /** @param urn The resource whose row it is; empty for a warning of the whole run. */
  show(kind: LineKind, urn: string, text: string): void;
  /** Waits until all lines have reached the engine. */
  flush(): Promise<void>;
}

/** Redacts the secrets of a resource and of the settings in every line to the display. */
export class OutgoingText implements Report {
  private readonly secrets = new Map<string, Set<string>>();
  /** Prepared once for all lines of a resource: its secrets may be large. */
  private readonly redactions = new Map<string, Redaction>();

  constructor(private readonly report: Report) {}

  /** Redacts these values in all text of this resource; in all text when the URN is empty. */
  protect(urn: string, values: Iterable<string>): void {
    const secretsFor = this.secrets.get(urn) ?? new Set();
    const { size } = secretsFor;
    for (const value of values) secretsFor.add(value);
    this.secrets.set(urn, secretsFor);
    if (secretsFor.size > size) this.redactions.clear();
  }

  /** Redacts a text without truncating it. */
  redact(urn: string, text: string): string {
    return this.redactionFor(urn)(text);
  }

  clean(urn: string, text: string): string {
    return cleanMessage(text, this.redactionFor(urn));
  }

  /** A status has one line. */
  show(kind: LineKind, urn: string, text: string): void {
    const cleaned = this.clean(urn, text);
    this.report.show(kind, urn, kind === "progress" ? cleaned.replace(/\s*\n\s*/g, " ") : cleaned);
  }

  flush(): Promise<void> {
    return this.report.flush();
  }

  private redactionFor(urn: string): Redaction {
    const secrets = () => ["", urn].flatMap((key) => [...(this.secrets.get(key) ?? [])]);
    const redaction = this.redactions.get(urn) ?? redactionOf(secrets());
    this.redactions.set(urn, redaction);
    return redaction;
  }
}

const SEVERITIES = { progress: "INFO", info: "INFO", warn: "WARNING", debug: "DEBUG" } as const;

const LOG_TIMEOUT_MS = 2000;

/** Reports to the engine; drops lines without an address or a response. @param timeoutMs The delay of a line. */
export function engineReport(
  address: string | undefined,
  loadGrpc: () => typeof Grpc,
  timeoutMs = LOG_TIMEOUT_MS,
): Report {
  let engine: Engine | undefined;
  /** The last line of each row that is on its way: the engine is concurrent, so a line waits for the one before. */
  const lastLines = new Map<string, Promise<boolean>>();
  const show: Report["show"] = (kind, urn, text) => {
    if (!address || (urn === "" && kind !== "warn")) return;
    engine ??= openEngine(address, loadGrpc(), timeoutMs);
    const send = engine;
    const previous = lastLines.get(urn) ?? Promise.resolve(true);
    // If the engine does not respond, waiting lines are dropped: together they delay no longer than one.
    const line = previous.then((hasResponded) => hasResponded && send(kind, urn, text));
    lastLines.set(urn, line);
    void line.then(() => lastLines.get(urn) === line && lastLines.delete(urn));
  };
  return {
    show,
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

type Engine = (...line: Parameters<Report["show"]>) => Promise<boolean>;

function openEngine(address: string, grpc: typeof Grpc, timeoutMs: number): Engine {
  const { EngineClient } =
    require("@pulumi/pulumi/proto/engine_grpc_pb") as typeof import("@pulumi/pulumi/proto/engine_grpc_pb");
  const { LogRequest, LogSeverity } =
    require("@pulumi/pulumi/proto/engine_pb") as typeof import("@pulumi/pulumi/proto/engine_pb");
  const client: IEngineClient = new EngineClient(address, grpc.credentials.createInsecure(), WITHOUT_PROXY);
  return (kind, urn, text) =>
    new Promise((resolve) => {
      const request = new LogRequest();
      request.setUrn(urn);
      request.setSeverity(LogSeverity[SEVERITIES[kind]]);
      request.setEphemeral(kind === "progress");
      request.setMessage(text);
      client.log(request, new grpc.Metadata(), { deadline: Date.now() + timeoutMs }, (error) =>
        resolve(error?.code !== grpc.status.DEADLINE_EXCEEDED),
      );
    });
}

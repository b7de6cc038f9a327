/** Sends lines to a resource's row in the display: statuses, which the next one replaces, infos and warnings. */
import type * as Grpc from "@grpc/grpc-js";
import type { IEngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";

export interface Report {
  /** Replaces the status on the row. */
  progress(urn: string, text: string): void;
  /** Adds a line to the row and the summary. */
  info(urn: string, text: string): void;
  warn(urn: string, text: string): void;
  /** Waits until all lines have reached the engine. */
  flush(): Promise<void>;
}

type Severity = "INFO" | "WARNING";

/** How long a line may delay a resource. */
const LOG_TIMEOUT_MS = 2000;

/**
 * Reports to the engine at an address. Without an address, or when the engine does not respond, lines are dropped.
 * @param loadGrpc Loads gRPC with the first line.
 */
export function engineReport(address: string | undefined, loadGrpc: () => typeof Grpc): Report {
  let engine: Engine | undefined;
  const pending = new Set<Promise<void>>();
  const send = (urn: string, severity: Severity, ephemeral: boolean, text: string) => {
    if (!address || urn === "") return;
    engine ??= openEngine(address, loadGrpc());
    const request = engine(urn, severity, ephemeral, text).finally(() => pending.delete(request));
    pending.add(request);
  };
  return {
    progress: (urn, text) => send(urn, "INFO", true, text),
    info: (urn, text) => send(urn, "INFO", false, text),
    warn: (urn, text) => send(urn, "WARNING", false, text),
    flush: async () => {
      await Promise.all(pending);
    },
  };
}

/** Returns the address that the engine passes to the host of dynamic resources. */
export function engineAddress(argv: readonly string[] = process.argv): string | undefined {
  return /^[\w.[\]:-]+:\d+$/.test(argv[2] ?? "") ? argv[2] : undefined;
}

type Engine = (urn: string, severity: Severity, ephemeral: boolean, text: string) => Promise<void>;

function openEngine(address: string, grpc: typeof Grpc): Engine {
  const { EngineClient } =
    require("@pulumi/pulumi/proto/engine_grpc_pb") as typeof import("@pulumi/pulumi/proto/engine_grpc_pb");
  const { LogRequest, LogSeverity } =
    require("@pulumi/pulumi/proto/engine_pb") as typeof import("@pulumi/pulumi/proto/engine_pb");
  const client: IEngineClient = new EngineClient(address, grpc.credentials.createInsecure());
  return (urn, severity, ephemeral, text) =>
    new Promise((resolve) => {
      const request = new LogRequest();
      request.setUrn(urn);
      request.setSeverity(LogSeverity[severity]);
      request.setEphemeral(ephemeral);
      request.setMessage(text);
      client.log(request, new grpc.Metadata(), { deadline: Date.now() + LOG_TIMEOUT_MS }, () => resolve());
    });
}

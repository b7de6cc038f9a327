/** Lines on a resource's own row: a status that the next one replaces, or a warning that stays. */
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type { IEngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";

export interface Report {
  /** Shows a status in place of the last one. */
  progress(urn: string, text: string): void;
  /** Leaves a line on the row and in the summary. */
  info(urn: string, text: string): void;
  warn(urn: string, text: string): void;
  /** Until what was said has reached the engine. */
  flush(): Promise<void>;
}

type Severity = "INFO" | "WARNING";

/** How long a line may keep a resource waiting; a display is never worth more. */
const LOG_TIMEOUT_MS = 2000;

/** Speaks to the engine at this address. Without one, or when it does not answer, nothing is shown and nothing fails. */
export function engineReport(address: string | undefined): Report {
  let engine: Engine | undefined;
  const pending = new Set<Promise<void>>();
  const send = (urn: string, severity: Severity, ephemeral: boolean, text: string) => {
    if (!address || urn === "") return;
    engine ??= openEngine(address);
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

/** The address that the engine gives to the process which hosts dynamic resources. */
export function engineAddress(argv: readonly string[] = process.argv): string | undefined {
  return /^[\w.[\]:-]+:\d+$/.test(argv[2] ?? "") ? argv[2] : undefined;
}

type Engine = (urn: string, severity: Severity, ephemeral: boolean, text: string) => Promise<void>;

function openEngine(address: string): Engine {
  // gRPC is a dependency of the SDK, not ours: it is taken from where the SDK finds it.
  const grpc = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js") as typeof Grpc;
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

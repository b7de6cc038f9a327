/**
 * The native provider plugin `pulumi-resource-agentgraph`. The engine starts it with its address as the first argument,
 * reads the port from its first line, and ends its standard input when it exits.
 */
import * as grpc from "@grpc/grpc-js";
import * as protobuf from "google-protobuf";
import { exitWithEngine } from "../provider/engine/host/exit-with-engine";
import { engineAddress, engineReport } from "../provider/engine/host/log";
import { RunState } from "../provider/engine/run/run-state";
import { realClock } from "../provider/http/clock";
import { exportBeforeExit, openTrace } from "../provider/telemetry/open-trace";
import { RequestFailures } from "./component/failures";
import { AgentgraphProvider, type EngineConnection } from "./provider";
import schema from "./schema.json";
import { startServer } from "./server";

async function main(): Promise<void> {
  // `agentgraph doctor` asks a plugin on PATH, whose folder does not say its version.
  if (process.argv[2] === "--version") {
    process.stdout.write(`${schema.version}\n`);
    return;
  }
  const address = engineAddress();
  const report = engineReport(address, () => grpc);
  const trace = openTrace({
    ...{ run: address, loadModules: () => ({ grpc, protobuf }) },
    ...(address && { warn: (text) => report.show("warn", "", text) }),
  });
  exportBeforeExit(trace);
  const connectTo = (address?: string): EngineConnection => ({
    address,
    report: engineReport(address, () => grpc),
    startRun: () => RunState.of(address, trace),
  });
  const failures = new RequestFailures((error) => report.show("warn", "", describeInternal(error)));
  const facts = { version: schema.version, schema: () => JSON.stringify(schema), connectTo, trace, failures };
  const { port } = await startServer(new AgentgraphProvider(connectTo(address), realClock, failures), facts);
  process.stdout.write(`${port}\n`);
  exitWithEngine();
}

/** Without its message, which no resource has redacted. */
function describeInternal(error: unknown): string {
  const { name, stack = "" } = error instanceof Error ? error : new Error();
  const places = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return [`An internal error of the provider, which continues: ${name}`, ...places.slice(0, 5)].join("\n");
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

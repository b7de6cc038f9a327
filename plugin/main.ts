/**
 * The native provider plugin `pulumi-resource-agentgraph`. The engine starts it with its address as the first argument,
 * reads the port from its first line, and ends its standard input when it exits.
 */
import * as grpc from "@grpc/grpc-js";
import * as protobuf from "google-protobuf";
import { exitWithEngine } from "../provider/engine/host/exit-with-engine";
import { engineAddress, engineReport } from "../provider/engine/host/log";
import { RunState } from "../provider/engine/run/run-state";
import { exportBeforeExit, openTrace } from "../provider/telemetry/open-trace";
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
  const facts = { version: schema.version, schema: () => JSON.stringify(schema), connectTo, trace };
  const { port } = await startServer(new AgentgraphProvider(connectTo(address)), facts);
  process.stdout.write(`${port}\n`);
  exitWithEngine();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

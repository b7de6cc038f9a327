import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";

const started: grpc.Server[] = [];
afterEach(() => {
  for (const server of started.splice(0)) server.forceShutdown();
});

/** Starts a server of gRPC, which is stopped after the test. @returns Its address. */
export async function listen(server: grpc.Server): Promise<string> {
  started.push(server);
  const bind = promisify(server.bindAsync.bind(server));
  return `127.0.0.1:${await bind("127.0.0.1:0", grpc.ServerCredentials.createInsecure())}`;
}

/**
 * Starts the part of an engine that shows lines. Returns its address, and the lines.
 * @param respond Called with each line; the engine confirms the line when it resolves, and is too late when it rejects.
 */
export async function startEngine(
  respond: (line: string) => Promise<void> = async () => {},
): Promise<{ address: string; lines: string[] }> {
  const lines: string[] = [];
  const server = new grpc.Server();
  const log = ({ request }: { request: LogRequest }, done: grpc.sendUnaryData<Empty>) => {
    lines.push(request.getMessage());
    respond(request.getMessage()).then(
      () => done(null, new Empty()),
      () => done({ code: grpc.status.DEADLINE_EXCEEDED }),
    );
  };
  server.addService(EngineService, { log } as unknown as grpc.UntypedServiceImplementation);
  return { address: await listen(server), lines };
}

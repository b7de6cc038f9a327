import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";

const engines: grpc.Server[] = [];
afterEach(() => {
  for (const engine of engines.splice(0)) engine.forceShutdown();
});

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
  engines.push(server);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
  return { address: `127.0.0.1:${port}`, lines };
}

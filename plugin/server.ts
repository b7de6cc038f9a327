/** The gRPC server that the engine talks to. */
import * as grpc from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { type IResourceProviderServer, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Message } from "google-protobuf";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { NO_TRACE, type Trace } from "../provider/telemetry/trace";
import type { RequestFailures } from "./component/failures";
import { toServiceError } from "./errors";
import type { AgentgraphProvider, EngineConnection } from "./provider";
import { type MessageType, readRequest } from "./request-reader";
import { writeResponse } from "./response-writer";

export interface PluginFacts {
  version: string;
  /** Returns the package schema as JSON. */
  schema(): string;
  /** Returns the connection to the engine at an address. */
  connectTo(address: string): EngineConnection;
  /** Continues the trace of the engine. Default: nothing is recorded. */
  trace?: Trace;
  /** What no caller awaits, in this process. */
  failures?: RequestFailures;
}

/** The types of gRPC leave out the class of a method's requests. */
type Method = grpc.MethodDefinition<unknown, unknown> & { requestType: MessageType };

const SERVICE: grpc.ServiceDefinition = Object.fromEntries(
  Object.entries(ResourceProviderService as unknown as Record<string, Method>).map(([name, method]) => [
    name,
    {
      ...method,
      requestDeserialize: (bytes: Buffer) => readRequest(method.requestType, bytes),
      responseSerialize: (message: unknown) => writeResponse(message as Message),
    },
  ]),
);

/** States and inputs may be large; this is the limit of Pulumi's own providers. */
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

export interface RunningServer {
  port: number;
  /** Ends all connections. */
  stop(): void;
}

/** Starts the server on a free port of this machine. */
export async function startServer(provider: AgentgraphProvider, facts: PluginFacts): Promise<RunningServer> {
  const server = new grpc.Server({
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
  });
  server.addService(SERVICE, implementation(provider, facts) as grpc.UntypedServiceImplementation);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve({ port, stop: () => server.forceShutdown() }),
    );
  });
}

/** Responds to a call with the result of a function, or with its error. */
const respondWithin =
  (trace: Trace, failures?: RequestFailures) =>
  <Request, Response>(handle: (request: Request) => Response | Promise<Response>) =>
  ({ request, metadata }: grpc.ServerUnaryCall<Request, Response>, callback: grpc.sendUnaryData<Response>): void => {
    const [traceparent] = metadata.get("traceparent");
    const run = async () => trace.continueFrom(traceparent?.toString(), () => handle(request));
    (failures?.ofCall(run) ?? run()).then(
      (response) => callback(null, response),
      (error) => callback(toServiceError(error)),
    );
  };

/** Sends the responses of a call that has several, and then its end or its error. */
const streamWithin =
  (trace: Trace) =>
  <Request, Response>(handle: (request: Request, send: (response: Response) => boolean) => Promise<void>) =>
  (call: grpc.ServerWritableStream<Request, Response>): void => {
    const [traceparent] = call.metadata.get("traceparent");
    const send = (response: Response) => {
      if (!call.cancelled) call.write(response);
      return !call.cancelled;
    };
    Promise.resolve(call.request)
      .then((request) => trace.continueFrom(traceparent?.toString(), () => handle(request, send)))
      .then(
        () => call.end(),
        (error) => call.emit("error", toServiceError(error)),
      );
  };

function implementation(
  provider: AgentgraphProvider,
  { version, schema, connectTo, trace = NO_TRACE, failures }: PluginFacts,
): Partial<IResourceProviderServer> {
  const respond = respondWithin(trace, failures);
  return {
    handshake: respond(() => {
      const response = new messages.ProviderHandshakeResponse();
      response.setAcceptSecrets(true);
      // Otherwise, one value that is unknown or secret would hide the keys of everything around it from a component.
      response.setAcceptOutputs(true);
      response.setSupportsAutonamingConfiguration(true);
      return response;
    }),
    getPluginInfo: respond(() => new PluginInfo().setVersion(version)),
    getSchema: respond(() => new messages.GetSchemaResponse().setSchema(schema())),
    checkConfig: respond((request: messages.CheckRequest) => provider.checkConfig(request)),
    diffConfig: respond((request: messages.DiffRequest) => provider.diffConfig(request)),
    configure: respond((request: messages.ConfigureRequest) => provider.configure(request)),
    check: respond((request: messages.CheckRequest) => provider.resource(request.getUrn()).check(request)),
    diff: respond((request: messages.DiffRequest) => provider.resource(request.getUrn()).diff(request)),
    create: respond((request: messages.CreateRequest) => provider.resource(request.getUrn()).create(request)),
    read: respond((request: messages.ReadRequest) => provider.resource(request.getUrn()).read(request)),
    update: respond((request: messages.UpdateRequest) => provider.resource(request.getUrn()).update(request)),
    delete: respond(async (request: messages.DeleteRequest) => {
      await provider.resource(request.getUrn()).delete(request);
      return new Empty();
    }),
    construct: respond((request: messages.ConstructRequest) => provider.construct(request)),
    invoke: respond((request: messages.InvokeRequest) => provider.invoke(request)),
    list: streamWithin(trace)<messages.ListRequest, messages.ListResponse>((...call) => provider.list(...call)),
    attach: respond((request: PluginAttach) => {
      provider.attach(connectTo(request.getAddress()));
      return new Empty();
    }),
    cancel: respond(() => {
      provider.cancel();
      return new Empty();
    }),
  };
}

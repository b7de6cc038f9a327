import * as grpc from "@grpc/grpc-js";
import type { PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { AgentgraphProvider } from "../../../plugin/provider";
import { type RunningServer, startServer } from "../../../plugin/server";
import { engineReport, type Report } from "../../../provider/engine/host/log";
import { RunState } from "../../../provider/engine/run/run-state";
import type { Clock } from "../../../provider/http/clock";
import type { PropertyMap } from "../../../provider/schema/schema";

/** The schema that the test server returns. */
const PLUGIN_FACTS = {
  version: "1.2.3",
  schema: () => '{"name":"agentgraph"}',
  connectTo: (address: string) => ({
    address,
    report: engineReport(address, () => grpc),
    startRun: () => new RunState(),
  }),
};

export const silentReport: Report = { show: () => {}, flush: async () => {} };

/** The requests and responses of the methods that the plugin implements. */
export interface Methods {
  handshake: [messages.ProviderHandshakeRequest, messages.ProviderHandshakeResponse];
  getPluginInfo: [Empty, PluginInfo];
  getSchema: [messages.GetSchemaRequest, messages.GetSchemaResponse];
  checkConfig: [messages.CheckRequest, messages.CheckResponse];
  diffConfig: [messages.DiffRequest, messages.DiffResponse];
  configure: [messages.ConfigureRequest, messages.ConfigureResponse];
  check: [messages.CheckRequest, messages.CheckResponse];
  diff: [messages.DiffRequest, messages.DiffResponse];
  create: [messages.CreateRequest, messages.CreateResponse];
  read: [messages.ReadRequest, messages.ReadResponse];
  update: [messages.UpdateRequest, messages.UpdateResponse];
  delete: [messages.DeleteRequest, Empty];
  invoke: [messages.InvokeRequest, messages.InvokeResponse];
  attach: [PluginAttach, Empty];
  construct: [messages.ConstructRequest, messages.ConstructResponse];
  cancel: [Empty, Empty];
}

/** An error response of the plugin. */
export type CallError = grpc.ServiceError;

/** A plugin in this process with a client, as the engine has one. */
export class PluginClient {
  private constructor(
    private readonly server: RunningServer,
    readonly client: ResourceProviderClient,
  ) {}

  static async start(clock: Clock, report: Report = silentReport, run = new RunState()): Promise<PluginClient> {
    const provider = new AgentgraphProvider({ report, startRun: () => run }, clock);
    const server = await startServer(provider, { ...PLUGIN_FACTS, trace: run.trace });
    const client = connect(server.port);
    const started = new PluginClient(server, client);
    running.push(started);
    return started;
  }

  /** Sends a request, with the metadata of the engine. @throws CallError */
  call<Name extends keyof Methods>(
    name: Name,
    request: Methods[Name][0],
    metadata: Record<string, string> = {},
  ): Promise<Methods[Name][1]> {
    return callOf(this.client, name, request, metadata);
  }

  /** Lists objects. @returns The responses of the stream. @throws CallError */
  async list(request: messages.ListRequest): Promise<messages.ListResponse[]> {
    const responses: messages.ListResponse[] = [];
    for await (const response of this.client.list(request)) responses.push(response as messages.ListResponse);
    return responses;
  }

  /** Sends the bytes of a request, which may be any. @throws CallError */
  callRaw<Name extends keyof Methods>(name: Name, bytes: Buffer): Promise<Methods[Name][1]> {
    const { path, responseDeserialize } = ResourceProviderService[name];
    return new Promise((resolve, reject) => {
      const done: grpc.requestCallback<unknown> = (error, response) =>
        error ? reject(error) : resolve(response as Methods[Name][1]);
      this.client.makeUnaryRequest(path, (raw: Buffer) => raw, responseDeserialize, bytes, done);
    });
  }

  /** Sends the settings of a provider of the program. */
  async configure(settings: PropertyMap, name = "default"): Promise<messages.ConfigureResponse> {
    const request = new messages.ConfigureRequest().setArgs(toStruct(settings)).setName(name).setAcceptsecrets(true);
    return this.call("configure", request);
  }

  stop(): void {
    this.client.close();
    this.server.stop();
  }
}

type Call = (request: unknown, metadata: grpc.Metadata, done: grpc.requestCallback<unknown>) => void;

/** @throws CallError */
function callOf<Name extends keyof Methods>(
  client: ResourceProviderClient,
  name: Name,
  request: Methods[Name][0],
  values: Record<string, string>,
): Promise<Methods[Name][1]> {
  const methods = client as unknown as Record<string, Call>;
  const metadata = new grpc.Metadata();
  for (const [key, value] of Object.entries(values)) metadata.set(key, value);
  return new Promise((resolve, reject) => {
    methods[name]?.call(client, request, metadata, (error, response) =>
      error ? reject(error) : resolve(response as Methods[Name][1]),
    );
  });
}

/** Connects to a plugin, with the limit for messages that the engine has. */
const connect = (port: number): ResourceProviderClient =>
  new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
  });

const running: PluginClient[] = [];
afterEach(() => {
  for (const plugin of running.splice(0)) plugin.stop();
});

export const toStruct = (properties: PropertyMap): Struct =>
  Struct.fromJavaScript(JSON.parse(JSON.stringify(properties)) as Record<string, JavaScriptValue>);

export const fromStruct = (struct: Struct | undefined): PropertyMap => (struct?.toJavaScript() ?? {}) as PropertyMap;

export interface PartialState {
  id: string;
  properties: PropertyMap;
  reasons: string[];
}

/** Returns the resource that an error keeps, as the engine reads it. */
export function partialStateOf(error: CallError): PartialState | undefined {
  const [details] = error.metadata.get("grpc-status-details-bin");
  if (!details) return undefined;
  const [detail] = Status.deserializeBinary(details as Buffer).getDetailsList();
  const failure = messages.ErrorResourceInitFailed.deserializeBinary(detail?.getValue_asU8() ?? new Uint8Array());
  return { id: failure.getId(), properties: fromStruct(failure.getProperties()), reasons: failure.getReasonsList() };
}

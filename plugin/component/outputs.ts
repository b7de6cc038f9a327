/** The outputs of a component in the response to the engine, also of one whose resources were not all created. */
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { serializeResourceProperties } from "@pulumi/pulumi/runtime/rpc";
import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { AGENT_SERVICE, SERVICE_OUTPUTS } from "../../provider/components/agent-service";
import type { AgentService } from "../../sdk/nodejs/components/agent-service";
import { missingResource } from "./missing-resource";
import { urnsOf } from "./sdk-internals";

/**
 * Adds the outputs to a response that has the URN. With `--continue-on-error`, an output of a resource that failed is
 * absent and depends on that resource, so that the engine skips what uses it.
 */
export async function addOutputs(response: ConstructResponse, request: ConstructRequest, service: AgentService) {
  const values: Record<string, unknown> = {};
  for (const key of Object.keys(SERVICE_OUTPUTS) as (keyof typeof SERVICE_OUTPUTS)[]) {
    try {
      const [state, dependencies] = await serializeResourceProperties(AGENT_SERVICE, { [key]: service[key] });
      Object.assign(values, state);
      for (const [name, urns] of await urnsOf(dependencies)) addDependencies(response, name, urns);
    } catch (error) {
      const missing = missingResource(error);
      if (!missing) throw error;
      const ownUrn = response.getUrn().slice(0, -`::${request.getName()}`.length);
      addDependencies(response, key, [`${ownUrn}$${missing.type}::${missing.name}`]);
    }
  }
  response.setState(Struct.fromJavaScript(values as Parameters<typeof Struct.fromJavaScript>[0]));
}

function addDependencies(response: ConstructResponse, key: string, urns: string[]): void {
  const some = new ConstructResponse.PropertyDependencies();
  some.setUrnsList(urns);
  response.getStatedependenciesMap().set(key, some);
}

/** Creates the resources of a component for a program in another language, through the engine that runs the program. */
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { AGENT_SERVICE } from "../../provider/components/agent-service";
import { nativeToken } from "../../provider/definition/type-token";
import type { AgentServiceArgs } from "../../sdk/nodejs/components/args";
import { problemsOf } from "../../sdk/nodejs/components/check-args";
import { AgentService } from "../../sdk/nodejs/native";
import { promiseOf } from "../../sdk/nodejs/shared/outputs";
import { InvalidRequestError, OTHER_VERSION } from "../errors";
import { optionsOf } from "./options";
import { addOutputs } from "./outputs";
import { connect, deserializeInputs, waitForRPCs, withLocalStorage } from "./sdk-internals";

/** What a component needs of the run. */
interface ConstructionSite {
  /** The address of the engine. */
  address: string;
  /** How the engine refers to this provider; absent for older engines, which choose a default one for each resource. */
  provider: string | undefined;
}

/** @throws InvalidRequestError for wrong arguments, and for a component that this provider lacks. */
export function construct(
  request: ConstructRequest,
  { address, provider }: ConstructionSite,
): Promise<ConstructResponse> {
  const type = request.getType();
  if (type !== nativeToken(AGENT_SERVICE))
    throw new InvalidRequestError(`The provider agentgraph has no component type "${type}". ${OTHER_VERSION}`);
  return withLocalStorage(async () => {
    await connect(request, address);
    const args = await deserializeInputs(request.getInputs(), request.getInputdependenciesMap());
    // The engine names the service. What has no problems has the types of the arguments.
    const problems = problemsOf(args);
    if (problems.length > 0) throw new InvalidRequestError(problems.join("\n"));
    const service = new AgentService(
      request.getName(),
      args as unknown as AgentServiceArgs,
      optionsOf(request, provider),
    );
    const response = new ConstructResponse();
    response.setUrn(await promiseOf(service.urn));
    await addOutputs(response, request, service);
    await waitForRPCs();
    return response;
  });
}

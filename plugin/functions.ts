/** Runs the functions that the engine calls. */
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import { ClientPool } from "../provider/api/clients";
import { nativeToken } from "../provider/definition/type-token";
import type { Environment } from "../provider/engine/host/environment";
import type { FunctionDefinition } from "../provider/functions/definition";
import { functions } from "../provider/functions/functions";
import { FunctionRunner } from "../provider/functions/runner";
import type { PropertyMap } from "../provider/schema/schema";
import { UserError } from "../provider/text/user-error";
import { InvalidRequestError, OTHER_VERSION } from "./errors";
import { listNameOf } from "./schema/functions";
import type { Config } from "./settings";
import { decodeProperties, encodeProperties, type KeyPath } from "./values";

/** @throws InvalidRequestError for a function that this provider lacks. @throws UserError when it fails. */
export async function callFunction(
  request: provider.InvokeRequest,
  config: Config,
  environment: Environment,
): Promise<provider.InvokeResponse> {
  const definition = functions.find(({ name }) => nativeToken(name) === request.getTok());
  if (!definition)
    throw new InvalidRequestError(`The provider agentgraph has no function "${request.getTok()}". ${OTHER_VERSION}`);
  const { name } = definition;
  const { values } = decodeProperties(request.getArgs());
  const result = await runnerOf(environment)
    .run(name, values, config)
    .catch((error: unknown) => {
      throw error instanceof UserError ? new UserError(`${name}: ${error.message}`) : error;
    });
  const response = new provider.InvokeResponse();
  const [returned, secrets] = toReturn(definition, result);
  const paths = secrets.map((keys) => ({ keys }));
  response.setReturn(encodeProperties(returned, paths));
  return response;
}

/** Returns what reads from servers with the clients of a run, outside of resources. */
export const runnerOf = ({ clock, run, report }: Environment): FunctionRunner =>
  new FunctionRunner(clock, run.scope.get(ClientPool), run.requests, (text) => report.show("warn", "", text));

/** Returns the result as an object, and the paths of its secrets. */
function toReturn(definition: FunctionDefinition, value: unknown): [PropertyMap, KeyPath[]] {
  const { secrets = [] } = definition;
  const key = listNameOf(definition);
  if (key === undefined) return [value as PropertyMap, secrets.map((secret) => [secret])];
  const hasSecrets = (value as PropertyMap[]).some((item) => secrets.some((secret) => item[secret] !== undefined));
  return [{ [key]: value }, hasSecrets ? [[key]] : []];
}

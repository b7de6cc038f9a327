/** Unit tests: with `pulumi.runtime.setMocks`, mock functions of the test replace the engine and the server. */
import * as pulumi from "@pulumi/pulumi";
import { promiseOf } from "./outputs";

/** Returns the mocks of a unit test; undefined in a program that the engine runs. */
export function mocksInUse(): pulumi.runtime.Mocks | undefined {
  const monitor = pulumi.runtime.getMonitor() as { mocks?: pulumi.runtime.Mocks } | undefined;
  return monitor?.mocks;
}

/** A call of a function. */
interface FunctionCall {
  name: string;
  args: object;
  provider: pulumi.ProviderResource | undefined;
  /** Whether the function returns a list. */
  isList: boolean;
}

/**
 * Returns the result of the mock function `call`, with its Outputs resolved.
 * @throws pulumi.RunError if `call` does not return an array for a list.
 */
export async function callMock(
  mocks: pulumi.runtime.Mocks,
  { name, args, provider, isList }: FunctionCall,
): Promise<unknown> {
  const called = { token: `agentgraph:index:${name}`, inputs: args };
  const result = await mocks.call({ ...called, ...(provider && { provider: await referenceOf(provider) }) });
  if (isList && !Array.isArray(result)) {
    throw new pulumi.RunError(`${name}: the mock function "call" must return an array for ${called.token}.`);
  }
  return promiseOf(pulumi.output(result));
}

const referenceOf = async ({ urn, id }: pulumi.ProviderResource) => `${await promiseOf(urn)}::${await promiseOf(id)}`;

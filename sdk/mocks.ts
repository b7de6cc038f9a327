/** Unit tests: with `pulumi.runtime.setMocks` neither an engine nor a server is there, and the test answers instead. */
import * as pulumi from "@pulumi/pulumi";
import { promiseOf } from "./outputs";

/** The mocks of a unit test; undefined in a program that an engine runs. */
export function mocksInUse(): pulumi.runtime.Mocks | undefined {
  const monitor = pulumi.runtime.getMonitor() as { mocks?: pulumi.runtime.Mocks } | undefined;
  return monitor?.mocks;
}

/**
 * What the test's `call` answers, with its Outputs resolved.
 * @param isList Whether the function returns a list, for which `call` returns an array.
 */
export async function callMock(
  mocks: pulumi.runtime.Mocks,
  name: string,
  args: object,
  provider: pulumi.ProviderResource | undefined,
  isList: boolean,
): Promise<unknown> {
  const called = { token: `agentgraph:index:${name}`, inputs: args };
  const result = await mocks.call({ ...called, ...(provider && { provider: await referenceOf(provider) }) });
  if (isList && !Array.isArray(result)) {
    throw new pulumi.RunError(`${name}: the mock function "call" must return an array for ${called.token}.`);
  }
  return promiseOf(pulumi.output(result));
}

const referenceOf = async ({ urn, id }: pulumi.ProviderResource) => `${await promiseOf(urn)}::${await promiseOf(id)}`;

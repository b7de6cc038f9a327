/** What the SDK of Pulumi knows of Outputs and resources, and leaves out of its types. */
import * as pulumi from "@pulumi/pulumi";
import type { LookupOutputOptions } from "./lookup-types";

interface Internals<T> {
  readonly isKnown: Promise<boolean>;
  promise(): Promise<T>;
  allResources(): Promise<Set<pulumi.Resource>>;
}
const internals = <T>(output: pulumi.Output<T>) => output as unknown as Internals<T>;

export const isKnown = (output: pulumi.Output<unknown>): Promise<boolean> => internals(output).isKnown;
export const promiseOf = <T>(output: pulumi.Output<T>): Promise<T> => internals(output).promise();

/**
 * An Output that is known once these resources exist: what an Output was made from, and `dependsOn`, where a component
 * stands for all its children.
 */
export function whenCreated(
  from: pulumi.Output<unknown>,
  dependsOn: LookupOutputOptions["dependsOn"],
): pulumi.Output<unknown> {
  const implied = internals(from).allResources();
  const explicit = pulumi.output(dependsOn as never) as pulumi.Output<unknown>;
  return explicit.apply(async (given) => {
    const named = await withChildren(given === undefined ? [] : [given].flat());
    const all = [...(await implied), ...named].filter((resource) => pulumi.CustomResource.isInstance(resource));
    return pulumi.all(all.map(({ id }) => id));
  });
}

async function withChildren(resources: Iterable<unknown>, found = new Set<unknown>()): Promise<Set<unknown>> {
  for (const resource of resources) {
    if (found.has(resource)) continue;
    found.add(resource);
    if (!pulumi.ComponentResource.isInstance(resource)) continue;
    const { __data, __childResources = [] } = resource as unknown as Component;
    await __data;
    await withChildren(__childResources, found);
  }
  return found;
}

interface Component {
  /** Settles when the component has made its children. */
  readonly __data?: Promise<unknown>;
  readonly __childResources?: Iterable<unknown>;
}

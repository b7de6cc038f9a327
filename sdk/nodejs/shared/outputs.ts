/** Properties of Outputs and resources that the types of the Pulumi SDK omit. */
import * as pulumi from "@pulumi/pulumi";
import type { LookupOutputOptions } from "../function-types";

interface Internals<T> {
  readonly isKnown: Promise<boolean>;
  promise(): Promise<T>;
  allResources(): Promise<Set<pulumi.Resource>>;
}
const internals = <T>(output: pulumi.Output<T>) => output as unknown as Internals<T>;

/** Resolves to whether the value of an Output is known in this preview or update. */
export const isKnown = (output: pulumi.Output<unknown>): Promise<boolean> => internals(output).isKnown;
/** Resolves to the value of an Output. */
export const promiseOf = <T>(output: pulumi.Output<T>): Promise<T> => internals(output).promise();

/**
 * Returns an Output that is known when these resources exist: those that `from` depends on, and those of `dependsOn`; a
 * component stands for all its children.
 */
export function whenCreated(
  from: pulumi.Output<unknown>,
  dependsOn: LookupOutputOptions["dependsOn"],
): pulumi.Output<unknown> {
  const implied = internals(from).allResources();
  // The types of `output` accept no union of a resource and a list of them.
  const explicit = pulumi.output(dependsOn as never) as pulumi.Output<unknown>;
  return explicit.apply(async (dependsOn) => {
    const dependencies = await withChildren(dependsOn === undefined ? [] : [dependsOn].flat());
    const all = [...(await implied), ...dependencies].filter((resource) => pulumi.CustomResource.isInstance(resource));
    return pulumi.all(all.map(({ id }) => id));
  });
}

async function withChildren(resources: Iterable<unknown>, visited = new Set<unknown>()): Promise<Set<unknown>> {
  for (const resource of resources) {
    if (visited.has(resource)) continue;
    visited.add(resource);
    if (!pulumi.ComponentResource.isInstance(resource)) continue;
    const { __data, __childResources = [] } = resource as unknown as Component;
    await __data;
    await withChildren(__childResources, visited);
  }
  return visited;
}

interface Component {
  /** Resolves when the component has created its children. */
  readonly __data?: Promise<unknown>;
  readonly __childResources?: Iterable<unknown>;
}

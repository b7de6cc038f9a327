/** Names of resources in and out of services. */

/**
 * Names in this model have the type of the parent before them, as in URNs; the name of the parent is not part of these.
 */
const INSIDE = "AgentService$";
const TYPE = "agentgraph:index:AgentService";

export const isInside = (name: string): boolean => name.startsWith(INSIDE);
export const insideName = (name: string): string => `${INSIDE}${name}`;

/** Returns the logical name of a resource, and the type of the component that contains it. */
export const identityOf = (name: string): { name: string; parent?: string } =>
  isInside(name) ? { name: name.slice(INSIDE.length), parent: TYPE } : { name };

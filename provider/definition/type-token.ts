/** Type tokens, which are stored in users' state: frozen. The SDK loads this file, so it has no dependencies. */

const DYNAMIC = "pulumi-nodejs:dynamic/agentgraph:";
const NATIVE = "agentgraph:index:";

/** Returns the type token of a kind of resource as a dynamic resource. */
export const dynamicToken = (kind: string): string => `${DYNAMIC}${kind}`;

/** Returns the type token of a kind of resource, or of a function, in the native provider. */
export const nativeToken = (name: string): string => `${NATIVE}${name}`;

/** Returns the kind that a token names, whether this version knows it or not; undefined for a type of another package. */
export function kindOfToken(token: string): string | undefined {
  const prefix = [DYNAMIC, NATIVE].find((one) => token.startsWith(one));
  return prefix === undefined ? undefined : token.slice(prefix.length);
}

/** Returns the property in which the native provider returns the list of a function: `deployments` of `getDeployments`. */
export const listPropertyOf = (functionName: string): string =>
  functionName.charAt(3).toLowerCase() + functionName.slice(4);

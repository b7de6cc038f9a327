/** Type tokens, frozen since users' state contains them; and URNs. The SDK loads this file: no dependencies. */
const DYNAMIC = "pulumi-nodejs:dynamic/agentgraph:";
const NATIVE = "agentgraph:index:";

export const dynamicToken = (kind: string): string => `${DYNAMIC}${kind}`;

export const nativeToken = (name: string): string => `${NATIVE}${name}`;

/** Returns the kind that a token names, known to this version or not; undefined for a type of another package. */
export function kindOfToken(token: string): string | undefined {
  const prefix = [DYNAMIC, NATIVE].find((one) => token.startsWith(one));
  return prefix === undefined ? undefined : token.slice(prefix.length);
}

/** Returns the property in which the native provider returns a list: `deployments` of `getDeployments`. */
export const listPropertyOf = (functionName: string): string =>
  functionName.charAt(3).toLowerCase() + functionName.slice(4);

interface UrnParts {
  stack: string;
  project: string;
  type: string;
  /** The name in the program. It may contain the separator of URNs. */
  name: string;
}

/** Returns the parts of a URN; those that it lacks are empty. */
export function parseUrn(urn: string): UrnParts {
  const [stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "").split("::");
  return { stack, project, type: types.split("$").at(-1) ?? "", name: name.join("::") };
}

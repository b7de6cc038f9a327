/** Name of the secret that contains a deployment's ownership marker. It exists on servers, so it never changes. */
export const MARKER = "PULUMI_RESOURCE";

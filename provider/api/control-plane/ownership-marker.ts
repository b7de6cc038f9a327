/** The name of the secret that holds a deployment's ownership marker. It stands on servers and never changes. */
export const MARKER = "PULUMI_RESOURCE";

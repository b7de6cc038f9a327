/** Determines which declared inputs a response confirms, because an interrupted run may have sent others. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { ResourceSpec } from "../../../api/control-plane/resource-spec";
import { mergeRemote } from "../../../schema/compare";
import { isMasked, mergeRemoteReferences, mergeRemoteSecrets } from "../mapping";
import type { Inputs } from "../schema/inputs";
import { configOf, isImmutable, schemaOf } from "./omitted-fields";

/** Fields of a spec without a server default: if they are present, someone set them. */
const FIELDS_WITHOUT_DEFAULT = [
  ...["labels", "annotations", "serviceAccountName", "imagePullSecrets"],
  ...["volumes", "volumeMounts", "initContainers", "sidecars"],
] as const satisfies (keyof ResourceSpec)[];

/**
 * Returns only the inputs that the response contains, including those that the program no longer declares. Excludes what
 * no server returns, such as the content of a folder. Includes immutable inputs unless the response has another value.
 */
export function confirmedInputs(remote: RemoteDeployment, declared: Inputs): Inputs {
  const { sourceDigest: _, redeployTriggers: __, ...comparable } = declared;
  const confirmed = mergeRemote(
    schemaOf(comparable),
    comparable,
    configOf(remote),
    (path) => isImmutable(path) || !isServerField(path),
  );
  const hasSecretValues = remote.secrets && !isMasked(remote);
  return {
    ...confirmed,
    ...withUndeclared(confirmed, remote),
    secrets: hasSecretValues ? mergeRemoteSecrets(remote, declared).secrets : undefined,
    secretReferences:
      remote.secretReferences === undefined ? undefined : mergeRemoteReferences(remote, declared).secretReferences,
  };
}

/** Whether a field is sent to the server, unlike the options of the provider. */
const isServerField = (path: string) =>
  path.startsWith("sourceConfig") || path.startsWith("sourceRevisionConfig") || path === "imageVersion";

function withUndeclared(confirmed: Inputs, { sourceConfig }: RemoteDeployment): Pick<Inputs, "sourceConfig"> {
  const remoteSpec = sourceConfig?.resourceSpec ?? {};
  const undeclared = FIELDS_WITHOUT_DEFAULT.filter((field) => Object.keys(remoteSpec[field] ?? {}).length > 0).map(
    (field) => [field, remoteSpec[field]],
  );
  if (undeclared.length === 0) return {};
  const resourceSpec = { ...Object.fromEntries(undeclared), ...confirmed.sourceConfig?.resourceSpec };
  return { sourceConfig: { ...confirmed.sourceConfig, resourceSpec } as Inputs["sourceConfig"] };
}

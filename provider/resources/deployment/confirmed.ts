/** What of a declaration a response confirms: a run that was interrupted may have sent something else. */
import type { Deployment as Answer } from "../../api/control-plane/client";
import type { ResourceSpec } from "../../api/control-plane/resource-spec";
import { mergeRemote } from "../../schema/compare";
import type { Inputs } from "./inputs";
import { isMasked, observeReferences, observeSecrets } from "./mapping";
import { configOf, isFixed, schemaOf } from "./omitted-fields";

/** Fields of a spec that nobody has who did not set them. */
const WITHOUT_DEFAULT = [
  ...["labels", "annotations", "serviceAccountName", "imagePullSecrets"],
  ...["volumes", "volumeMounts", "initContainers", "sidecars"],
] as const satisfies (keyof ResourceSpec)[];

/**
 * Only what the response shows to be held, and what of it the program does not declare any more. What no server tells,
 * such as the content of a folder, is not in it; what cannot change is, unless the response shows another value.
 */
export function confirmedInputs(answer: Answer, declared: Inputs): Inputs {
  const { sourceDigest: _, redeployTriggers: __, ...told } = declared;
  const seen = mergeRemote(schemaOf(told), told, configOf(answer), (path) => isFixed(path) || !isHeldByServer(path));
  const isSecretKnown = answer.secrets && !isMasked(answer);
  return {
    ...seen,
    ...withLeftovers(seen, answer),
    secrets: isSecretKnown ? observeSecrets(answer, declared).secrets : undefined,
    secretReferences:
      answer.secretReferences === undefined ? undefined : observeReferences(answer, declared).secretReferences,
  };
}

/** Not an option of ours, which no server knows. */
const isHeldByServer = (path: string) =>
  path.startsWith("sourceConfig") || path.startsWith("sourceRevisionConfig") || path === "imageVersion";

function withLeftovers(seen: Inputs, { sourceConfig }: Answer): Pick<Inputs, "sourceConfig"> {
  const held = sourceConfig?.resourceSpec ?? {};
  const left = WITHOUT_DEFAULT.filter((field) => Object.keys(held[field] ?? {}).length > 0).map((field) => [
    field,
    held[field],
  ]);
  if (left.length === 0) return {};
  const resourceSpec = { ...Object.fromEntries(left), ...seen.sourceConfig?.resourceSpec };
  return { sourceConfig: { ...seen.sourceConfig, resourceSpec } as Inputs["sourceConfig"] };
}

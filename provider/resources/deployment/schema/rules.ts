/** Validation rules across fields: errors for what the interface or the provider does not allow. */
import { fileURLToPath } from "node:url";
import type { Container } from "../../../api/control-plane/pod";
import type { ResourceSpec } from "../../../api/control-plane/resource-spec";
import { type CheckFailure, errorRule, type Rule } from "../../../definition/rules";
import { isPropertyMap, valueAt } from "../../../schema/schema";
import { tryOr } from "../../../text/try-or";
import { IMMUTABLE, type Inputs, SPEC } from "./inputs";
import { CHECK_KINDS, type Check } from "./verify";
import { failureAt, hasUpload, isTag, warnings } from "./warnings";

/** Whether a URL is of a folder of this machine: others have a host, or are relative to nothing. */
const isFolderUrl = (at: string): boolean => at.startsWith("file:///") && tryOr(() => fileURLToPath(at), "") !== "";

/** Rules of API `2A` and `8`. */
const failures: Rule<Inputs>[] = [
  errorRule(
    ["sourceConfig.buildOnPush", "sourceRevisionConfig.repoRef"],
    ({ sourceConfig, sourceRevisionConfig: { repoRef } = {} }) =>
      sourceConfig?.buildOnPush && isTag(repoRef)
        ? `cannot be true with the tag ${repoRef}; set it to false, or use a branch as repoRef.`
        : undefined,
  ),
  errorRule(["sourceRevisionConfig.repoRef"], ({ sourceRevisionConfig: { repoRef = "" } = {} }) => {
    if (!repoRef.startsWith("refs/") || isTag(repoRef)) return undefined;
    const branch = /^refs\/heads\/(.+)$/.exec(repoRef)?.[1];
    return branch
      ? `must be the name of a branch without refs/heads/; use "${branch}".`
      : "is neither a branch nor a tag; use the name of a branch, or refs/tags/ and the name of a tag.";
  }),
  errorRule(["sourcePath", "sourceRevisionConfig.sourceTarballPath"], ({ source, sourcePath, sourceRevisionConfig }) =>
    source === "internal_source" && sourcePath && sourceRevisionConfig?.sourceTarballPath
      ? "cannot be combined with sourceRevisionConfig.sourceTarballPath; specify one of the two."
      : undefined,
  ),
  errorRule(["sourceConfig.listenerConfig", "sourceConfig.listenerId"], ({ sourceConfig }) =>
    sourceConfig?.listenerConfig && !sourceConfig.listenerId
      ? "requires sourceConfig.listenerId, the listener that it configures."
      : undefined,
  ),
  errorRule([`${SPEC}.redisMemoryLimitMb`, `${SPEC}.redisMemoryMb`], ({ sourceConfig }) => {
    const { redisMemoryMb = 0, redisMemoryLimitMb } = sourceConfig?.resourceSpec ?? {};
    return redisMemoryLimitMb !== undefined && redisMemoryLimitMb < redisMemoryMb
      ? `must be at least redisMemoryMb (${redisMemoryMb}), not ${redisMemoryLimitMb}.`
      : undefined;
  }),
  { paths: ["verify"], check: ({ verify = [] }) => verify.flatMap(checkFailures) },
  errorRule(["waitFor", "verify"], ({ waitFor, verify }) =>
    waitFor === "none" && verify?.length ? "cannot be none with verify, whose checks follow the rollout." : undefined,
  ),
  errorRule(["waitFor", "keepConversations"], ({ waitFor, keepConversations }) =>
    waitFor === "none" && keepConversations
      ? "cannot be none with keepConversations, which are restored to the live revision."
      : undefined,
  ),
  errorRule(["keepConversations.at"], ({ keepConversations }, _previous, { isPipeline }) => {
    const { at = "" } = keepConversations ?? {};
    if (/^s3:\/\/[^/]+/.test(at)) return undefined;
    if (/^[a-z][a-z0-9+.-]+:/i.test(at) && !isFolderUrl(at))
      return `must be a folder, file:///path, or s3://bucket/prefix, not ${at}`;
    return isPipeline && keepConversations && !at.startsWith("file:")
      ? "is a folder, and most pipelines delete theirs with the only copy of the conversations: use " +
          "s3://bucket/prefix, or file:///path for a folder that stays."
      : undefined;
  }),
  // Names are known even where values are not.
  { paths: ["source"], check: duplicateVariables },
  { paths: [`${SPEC}.volumes`], check: duplicateVolumes },
  {
    paths: [`${SPEC}.volumes`, `${SPEC}.volumeMounts`, `${SPEC}.initContainers`, `${SPEC}.sidecars`],
    check: danglingMounts,
  },
  { paths: [`${SPEC}.initContainers`, `${SPEC}.sidecars`], check: ambiguousValues },
];

function checkFailures(check: Check, index: number): CheckFailure[] {
  const kinds = CHECK_KINDS.filter((kind) => check[kind] !== undefined);
  if (kinds.length === 1) return [];
  const found = kinds.length === 0 ? "has none of" : `has ${kinds.join(" and ")}, and must have one of`;
  return [failureAt(`verify[${index}]`, `${found} http, ask, dataset, conversations and command.`)];
}

/** Whether the deployment is replaced: a new one keeps nothing of the old one. */
const isReplaced = (inputs: Inputs, previous: Partial<Inputs>) =>
  IMMUTABLE.some((path) => valueAt(previous, path) !== valueAt(inputs, path));

/** Fields that a PATCH cannot remove, because both null and absent mean "keep" (API `4A.PATCH:keep`). */
const unremovableFields: Rule<Inputs>[] = [
  ...["customUrl", "installCommand", "buildCommand", "buildOnPush"].map((field) => `sourceConfig.${field}`),
  ...["repoRef", "imageUri"].map((field) => `sourceRevisionConfig.${field}`),
  ...["imageVersion", "displayName"],
].map((path) =>
  errorRule([path], (inputs, previous) => {
    const previousValue = valueAt(previous, path);
    if (isReplaced(inputs, previous) || previousValue === undefined || valueAt(inputs, path) !== undefined)
      return undefined;
    return `cannot be removed: the server keeps ${JSON.stringify(previousValue)}. Keep it, or set another value.`;
  }),
);

/** An upload cannot be removed, only replaced by another one. */
const unremovableUpload: Rule<Inputs> = {
  paths: ["sourcePath", "sourceRevisionConfig.sourceTarballPath"],
  check: (inputs, previous) => {
    if (isReplaced(inputs, previous) || !hasUpload(previous) || hasUpload(inputs)) return undefined;
    const path = previous.sourcePath === undefined ? "sourceRevisionConfig.sourceTarballPath" : "sourcePath";
    return failureAt(path, "cannot be removed: the server keeps the uploaded source. Keep it, or set another one.");
  },
};

/** `secrets: []` on a PATCH means "keep" too: with the ownership marker in it the list is never empty. */
const lastSecret = errorRule<Inputs>(["secrets", "environment"], (inputs, previous, { ownerMarker }) => {
  const isEmptied = hasNoVariables(inputs) && !hasNoVariables(previous);
  if (ownerMarker || !isEmptied || isReplaced(inputs, previous)) return undefined;
  return (
    "cannot become empty without the ownership marker: the server keeps the last secrets. Keep one secret, or " +
    "an entry of environment, or set agentgraph:ownerMarker to true."
  );
});

const hasNoVariables = ({ secrets, environment }: Partial<Inputs>) =>
  Object.keys({ ...secrets, ...environment }).length === 0;

export const rules: Rule<Inputs>[] = [...failures, ...unremovableFields, unremovableUpload, lastSecret, ...warnings];

/** The server has one list of both. */
function duplicateVariables({ secrets, environment }: Inputs): CheckFailure[] {
  if (!isPropertyMap(secrets) || !isPropertyMap(environment)) return [];
  return Object.keys(environment)
    .filter((name) => Object.hasOwn(secrets, name))
    .map((name) => failureAt(`environment.${name}`, `is also in secrets; declare ${name} in only one of the two.`));
}

function duplicateVolumes({ sourceConfig }: Inputs): CheckFailure[] {
  const names = (sourceConfig?.resourceSpec?.volumes ?? []).map(({ name }) => name);
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? failureAt(`${SPEC}.volumes.${index}.name`, `"${name}" is used twice; volume names must be unique.`)
      : [],
  );
}

/** Returns the containers of a spec with their paths. The agent server itself has only mounts. */
function containersOf({ initContainers = [], sidecars = [] }: ResourceSpec): [string, Container][] {
  return Object.entries({ initContainers, sidecars }).flatMap(([list, containers]) =>
    containers.map((container, index): [string, Container] => [`${SPEC}.${list}.${index}`, container]),
  );
}

function danglingMounts({ sourceConfig }: Inputs): CheckFailure[] {
  const spec = sourceConfig?.resourceSpec ?? {};
  const volumes = new Set(spec.volumes?.map(({ name }) => name));
  const owners: [string, Pick<Container, "volumeMounts">][] = [[SPEC, spec], ...containersOf(spec)];
  return owners.flatMap(([path, { volumeMounts = [] }]) =>
    volumeMounts.flatMap(({ name }, index) =>
      volumes.has(name)
        ? []
        : failureAt(
            `${path}.volumeMounts.${index}.name`,
            `"${name}" is not in volumes; expected one of: ${[...volumes].join(", ") || "(none declared)"}.`,
          ),
    ),
  );
}

function ambiguousValues({ sourceConfig }: Inputs): CheckFailure[] {
  return containersOf(sourceConfig?.resourceSpec ?? {}).flatMap(([path, { env = [] }]) =>
    env.flatMap(({ name, value, valueFrom }, index) =>
      value && valueFrom
        ? failureAt(`${path}.env.${index}`, `${name} has both value and valueFrom; specify one of the two.`)
        : [],
    ),
  );
}

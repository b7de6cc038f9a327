/** Rules across fields: what interface.md forbids fails; what a newer server may know better warns. */
import type { Container } from "../../api/pod";
import { ceilings, limitOf, type ResourceSpec } from "../../api/resource-spec";
import type { Complaint, Rule } from "../../definition";
import { valueAt } from "../../schema";
import type { Inputs } from "./inputs";
import { IMMUTABLE } from "./recognise";

const SPEC = "sourceConfig.resourceSpec";
const at = (path: string, reason: string): Complaint => ({ path, reason });
const isTag = (ref: string | undefined) => ref?.startsWith("refs/tags/") === true;

/** Sections 2 and 8 of the interface. */
const failures: Rule<Inputs>[] = [
  {
    paths: ["sourceConfig.buildOnPush", "sourceRevisionConfig.repoRef"],
    check: ({ sourceConfig, sourceRevisionConfig }) =>
      sourceConfig?.buildOnPush && isTag(sourceRevisionConfig?.repoRef)
        ? at(
            "sourceConfig.buildOnPush",
            `cannot be true with the tag ${sourceRevisionConfig?.repoRef}: write false, or a branch as repoRef.`,
          )
        : undefined,
  },
  {
    paths: ["sourceRevisionConfig.repoRef"],
    check: ({ sourceRevisionConfig }) => {
      const branch = /^refs\/heads\/(.+)$/.exec(sourceRevisionConfig?.repoRef ?? "")?.[1];
      return branch ? at("sourceRevisionConfig.repoRef", `is a branch: write just its name, "${branch}".`) : undefined;
    },
  },
  {
    paths: ["sourcePath", "sourceRevisionConfig.sourceTarballPath"],
    check: ({ source, sourcePath, sourceRevisionConfig }) => {
      if (source !== "internal_source") return undefined;
      return sourcePath && sourceRevisionConfig?.sourceTarballPath
        ? at("sourcePath", "excludes sourceRevisionConfig.sourceTarballPath: write one of the two.")
        : undefined;
    },
  },
  {
    paths: ["sourceConfig.listenerConfig", "sourceConfig.listenerId"],
    check: ({ sourceConfig }) =>
      sourceConfig?.listenerConfig && !sourceConfig.listenerId
        ? at("sourceConfig.listenerConfig", "needs sourceConfig.listenerId: it is settings for that listener.")
        : undefined,
  },
  {
    paths: ["secrets", "secretReferences"],
    check: ({ secrets = {}, secretReferences = {} }) =>
      Object.keys(secretReferences)
        .filter((name) => name in secrets)
        .map((name) => at(`secretReferences.${name}`, `is also in secrets; write ${name} in one of the two.`)),
  },
  {
    paths: [`${SPEC}.redisMemoryMb`, `${SPEC}.redisMemoryLimitMb`],
    check: ({ sourceConfig }) => {
      const { redisMemoryMb = 0, redisMemoryLimitMb } = sourceConfig?.resourceSpec ?? {};
      return redisMemoryLimitMb !== undefined && redisMemoryLimitMb < redisMemoryMb
        ? at(
            `${SPEC}.redisMemoryLimitMb`,
            `must be at least redisMemoryMb, which is ${redisMemoryMb}; it is ${redisMemoryLimitMb}.`,
          )
        : undefined;
    },
  },
  { paths: [`${SPEC}.volumes`], check: ({ sourceConfig }) => duplicateVolumes(sourceConfig?.resourceSpec ?? {}) },
  {
    paths: [`${SPEC}.volumes`, `${SPEC}.volumeMounts`, `${SPEC}.initContainers`, `${SPEC}.sidecars`],
    check: ({ sourceConfig }) => danglingMounts(sourceConfig?.resourceSpec ?? {}),
  },
  {
    paths: [`${SPEC}.initContainers`, `${SPEC}.sidecars`],
    check: ({ sourceConfig }) => doubleValues(sourceConfig?.resourceSpec ?? {}),
  },
];

/** A new deployment keeps nothing of the old one. */
const isReplaced = (inputs: Inputs, previous: Partial<Inputs>) =>
  IMMUTABLE.some((path) => valueAt(previous, path) !== valueAt(inputs, path));

/** What a PATCH cannot do: both null and absent mean "keep" (interface-notes section 2). */
const keptByTheService: Rule<Inputs>[] = [
  ...["customUrl", "installCommand", "buildCommand", "buildOnPush"].map((field) => `sourceConfig.${field}`),
  ...["repoRef", "imageUri"].map((field) => `sourceRevisionConfig.${field}`),
  "imageVersion",
].map((path) => ({
  paths: [path],
  check: (inputs, previous) => {
    const before = valueAt(previous, path);
    if (isReplaced(inputs, previous) || before === undefined || valueAt(inputs, path) !== undefined) return undefined;
    return at(path, `cannot be removed: the service keeps ${JSON.stringify(before)}. Keep it, or write another value.`);
  },
}));

/** The server keeps the last upload; another one takes its place. */
const keptUpload: Rule<Inputs> = {
  paths: ["sourcePath", "sourceRevisionConfig.sourceTarballPath"],
  check: (inputs, previous) => {
    if (isReplaced(inputs, previous) || !hasUpload(previous) || hasUpload(inputs)) return undefined;
    const path = previous.sourcePath === undefined ? "sourceRevisionConfig.sourceTarballPath" : "sourcePath";
    return at(path, "cannot be removed: the server keeps the uploaded source. Keep it, or write another one.");
  },
};

const hasUpload = ({ sourcePath, sourceRevisionConfig }: Partial<Inputs>) =>
  sourcePath !== undefined || sourceRevisionConfig?.sourceTarballPath !== undefined;

/** `secrets: []` on a PATCH means "keep" too: with the ownership marker in it the list is never empty. */
const lastSecret: Rule<Inputs> = {
  paths: ["secrets"],
  check: (inputs, previous, { ownerMarker }) => {
    const emptied = isEmpty(inputs.secrets) && !isEmpty(previous.secrets);
    if (ownerMarker || !emptied || isReplaced(inputs, previous)) return undefined;
    return at(
      "secrets",
      "cannot become empty without the ownership marker: the service keeps the last set. Keep one secret, or set agentgraph:ownerMarker to true.",
    );
  },
};

const isEmpty = (map: object | undefined) => Object.keys(map ?? {}).length === 0;

const warnings: Rule<Inputs>[] = [
  {
    paths: ["sourcePath", "sourceRevisionConfig.sourceTarballPath"],
    check: (inputs) =>
      inputs.source === "internal_source" && !hasUpload(inputs)
        ? at(
            "sourcePath",
            "nothing is uploaded, so nothing runs until you declare sourcePath (a folder or a .tar.gz file) or sourceRevisionConfig.sourceTarballPath.",
          )
        : undefined,
  },
  { paths: [SPEC], check: ({ sourceConfig }) => specWarnings(sourceConfig?.resourceSpec ?? {}) },
  {
    paths: ["name"],
    check: ({ name }) =>
      /^[a-z][a-z0-9-]*$/.test(name)
        ? undefined
        : at("name", `"${name}" may be refused: use lower-case letters, digits and hyphens, first a letter.`),
  },
  {
    paths: ["sourceConfig.customUrl"],
    check: ({ sourceConfig }) =>
      sourceConfig?.customUrl === undefined || URL.canParse(sourceConfig.customUrl)
        ? undefined
        : at("sourceConfig.customUrl", `"${sourceConfig.customUrl}" is not a URL such as https://host/path.`),
  },
  {
    paths: ["sourceRevisionConfig.imageUri"],
    check: ({ sourceRevisionConfig }) => {
      const image = sourceRevisionConfig?.imageUri;
      if (image === undefined || image.includes("@") || /:(?!latest$)[^/:]+$/.test(image)) return undefined;
      return at(
        "sourceRevisionConfig.imageUri",
        `"${image}" can change unseen: a later push makes no revision, and nodes may keep the old one. Write a tag of its own for each build, or a digest.`,
      );
    },
  },
  {
    paths: ["sourceConfig.buildOnPush", "sourceRevisionConfig.repoRef"],
    check: ({ sourceConfig, sourceRevisionConfig }) =>
      sourceConfig?.buildOnPush === false && sourceRevisionConfig?.repoRef && !isTag(sourceRevisionConfig.repoRef)
        ? at("sourceConfig.buildOnPush", `is false, so pushes to ${sourceRevisionConfig.repoRef} make no revision.`)
        : undefined,
  },
  {
    paths: ["sourceConfig.installCommand", "sourceConfig.buildCommand"],
    check: ({ sourceConfig }) => commandWarnings(sourceConfig ?? {}),
  },
  { paths: ["secrets"], check: ({ secrets }) => reservedNames(secrets, "secrets") },
  { paths: ["secretReferences"], check: ({ secretReferences }) => reservedNames(secretReferences, "secretReferences") },
];

export const rules: Rule<Inputs>[] = [
  ...failures,
  ...keptByTheService,
  keptUpload,
  lastSecret,
  ...warnings.map((rule) => ({ ...rule, severity: "warning" as const })),
];

function duplicateVolumes({ volumes = [] }: ResourceSpec): Complaint[] {
  const names = volumes.map(({ name }) => name);
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? at(`${SPEC}.volumes.${index}.name`, `"${name}" is used twice: each volume needs a name of its own.`)
      : [],
  );
}

/** The containers of a spec with their paths; the agent server itself has only mounts. */
function containersOf({ initContainers = [], sidecars = [] }: ResourceSpec): [string, Container][] {
  return Object.entries({ initContainers, sidecars }).flatMap(([list, containers]) =>
    containers.map((container, index): [string, Container] => [`${SPEC}.${list}.${index}`, container]),
  );
}

function danglingMounts(spec: ResourceSpec): Complaint[] {
  const volumes = new Set(spec.volumes?.map(({ name }) => name));
  const owners: [string, Pick<Container, "volumeMounts">][] = [[SPEC, spec], ...containersOf(spec)];
  return owners.flatMap(([path, { volumeMounts = [] }]) =>
    volumeMounts.flatMap(({ name }, index) =>
      volumes.has(name)
        ? []
        : at(
            `${path}.volumeMounts.${index}.name`,
            `"${name}" is not in volumes; write one of: ${[...volumes].join(", ") || "(there is none)"}.`,
          ),
    ),
  );
}

function doubleValues(spec: ResourceSpec): Complaint[] {
  return containersOf(spec).flatMap(([path, { env = [] }]) =>
    env.flatMap(({ name, value, valueFrom }, index) =>
      value && valueFrom ? at(`${path}.env.${index}`, `${name} has both value and valueFrom: write one.`) : [],
    ),
  );
}

function specWarnings(spec: ResourceSpec): Complaint[] {
  const above = ceilings.flatMap(({ fields, most, unit }) =>
    fields
      .filter((field) => Number(spec[field] ?? 0) > most)
      .map((field) =>
        at(
          `${SPEC}.${field}`,
          `${spec[field]} is above ${most} ${unit}, the ceiling of the cloud service; a self-hosted one may allow it.`,
        ),
      ),
  );
  const below = (Object.entries(limitOf) as [keyof ResourceSpec, keyof ResourceSpec][])
    .filter(([request, limit]) => Number(spec[limit] ?? Number.POSITIVE_INFINITY) < Number(spec[request] ?? 0))
    .map(([request, limit]) =>
      at(`${SPEC}.${limit}`, `${spec[limit]} is below ${request}, which is ${spec[request]}.`),
    );
  const scales = (
    [
      ["minScale", "maxScale"],
      ["queueMinScale", "queueMaxScale"],
    ] as const
  )
    .filter(([least, most]) => (spec[least] ?? 0) > (spec[most] ?? Number.POSITIVE_INFINITY))
    .map(([least, most]) => at(`${SPEC}.${least}`, `${spec[least]} is above ${most}, which is ${spec[most]}.`));
  return [...above, ...below, ...scales];
}

/** Characters that the service refuses in commands (interface-notes section 2, Validation). */
const REFUSED = /['"`\\\n|;$<>]|(?<!&)&(?!&)/;

function commandWarnings(config: NonNullable<Inputs["sourceConfig"]>): Complaint[] {
  return (["installCommand", "buildCommand"] as const).flatMap((field) => {
    const found = REFUSED.exec(config[field] ?? "")?.[0];
    return found
      ? at(
          `sourceConfig.${field}`,
          `may be refused because of ${JSON.stringify(found)}: put such a command into a script of the repository and call that.`,
        )
      : [];
  });
}

/** Environment names that the platform itself sets on the cloud service (interface-notes section 2, Validation). */
const RESERVED = new Set(["POSTGRES_URI", "REDIS_URI", "PORT", "PATH", "DATABASE_URI", "REDIS_CLUSTER"]);

function reservedNames(map: Record<string, unknown> | undefined, path: string): Complaint[] {
  return Object.keys(map ?? {})
    .filter((name) => RESERVED.has(name))
    .map((name) => at(`${path}.${name}`, "is set by the platform itself on the cloud service, which may refuse it."));
}

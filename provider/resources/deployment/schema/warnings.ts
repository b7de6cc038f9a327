/** Warnings about inputs that are probably wrong, although a newer or self-hosted server may accept them. */
import { CEILINGS, derivedDefaults, type SpecField } from "../../../api/control-plane/resource-spec";
import { KNOWN_VALUES } from "../../../api/known-values";
import {
  type CheckFailure,
  entryRule,
  type Rule,
  textRejection,
  textWarning,
  warningRule,
} from "../../../definition/rules";
import { valueAt } from "../../../schema/schema";
import { printed } from "../../../text/issue-message";
import { COMMANDS, type Inputs, SPEC } from "./inputs";

export const failureAt = (path: string, reason: string): CheckFailure => ({ path, reason });
export const isTag = (ref: string | undefined) => ref?.startsWith("refs/tags/") === true;
export const hasUpload = ({ sourcePath, sourceRevisionConfig }: Partial<Inputs>) =>
  sourcePath !== undefined || sourceRevisionConfig?.sourceTarballPath !== undefined;

/** Maximum length of a DNS label, which the name of a deployment often becomes. */
const MAX_NAME_LENGTH = 63;

function nameReason(name: string): string | undefined {
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    return `"${name}" may be rejected; use lowercase letters, digits and hyphens, starting with a letter.`;
  if (name.length > MAX_NAME_LENGTH)
    return `has ${name.length} characters; servers may reject more than ${MAX_NAME_LENGTH}. Choose a shorter name.`;
  return undefined;
}

/** An image reference: host and port, path, tag, digest. */
const IMAGE_REFERENCE =
  /^(?:[a-zA-Z0-9.-]+(?::\d+)?\/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*(?::\w[\w.-]*)?(?:@[a-zA-Z0-9+._-]+:[0-9a-fA-F]+)?$/;

/** Hexadecimal digits of SHA-256. */
const DIGEST_LENGTH = 64;

function imageReason(image: string): string | undefined {
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(image) ?? [];
  if (scheme !== undefined) return `must not start with ${scheme}; use "${image.slice(scheme.length)}"`;
  if (!IMAGE_REFERENCE.test(image))
    return (
      `${printed(image)} is not a valid image reference; expected registry.example.com/agent:1.0, in lowercase and ` +
      "without spaces."
    );
  const length = /(?<=@sha256:)[0-9a-f]+$/i.exec(image)?.[0].length ?? DIGEST_LENGTH;
  return length === DIGEST_LENGTH
    ? undefined
    : `"${image}" has a digest of ${length} hexadecimal digits, and sha256 has ${DIGEST_LENGTH}. Copy all of it.`;
}

function mutableImageReason(image: string): string | undefined {
  if (imageReason(image) || image.includes("@") || /:(?!latest$)[^/:]+$/.test(image)) return undefined;
  return (
    `"${image}" is a mutable reference: a later push does not create a revision, and nodes may keep the old ` +
    "image. Use a unique tag for each build, or a digest."
  );
}

function repositoryReason(url: string): string | undefined {
  const [, host, path] = /^(?:ssh:\/\/)?git@([^:/]+)(?::\d+)?[:/](.+)$/.exec(url) ?? [];
  if (host !== undefined) return `is an SSH URL, which integrations do not support; use "https://${host}/${path}"`;
  if (/^https?:\/\/[^/]/.test(url) && URL.canParse(url)) return undefined;
  return `${printed(url)} is not a valid URL; expected https://host/team/repository.`;
}

function configPathReason(path: string): string | undefined {
  const relative = path.replaceAll("\\", "/").replace(/^\/+/, "");
  if (relative.split("/").includes("..")) return `"${path}" is outside the source; use a path within it.`;
  return relative === path ? undefined : `"${path}" is not a path within the source; use "${relative}"`;
}

function refReason(ref: string): string | undefined {
  const [, kind, name] = /^(tags|heads)\/(.+)$/.exec(ref) ?? [];
  if (kind === undefined) return undefined;
  return kind === "tags"
    ? `"${ref}" is interpreted as a branch of that name; for the tag, use "refs/tags/${name}".`
    : `"${ref}" is interpreted as a branch of that name; use "${name}".`;
}

const rules: Rule<Inputs>[] = [
  warningRule(["sourcePath", "sourceRevisionConfig.sourceTarballPath"], (inputs) =>
    inputs.source === "internal_source" && !hasUpload(inputs)
      ? "no source is uploaded, so nothing runs until you declare sourcePath (a folder or a .tar.gz file) or " +
        "sourceRevisionConfig.sourceTarballPath."
      : undefined,
  ),
  { paths: [SPEC], check: specWarnings },
  { paths: [SPEC], severity: "rejection", check: limitsBelowRequests },
  textRejection("name", nameReason),
  textRejection("sourceRevisionConfig.imageUri", imageReason),
  textWarning("sourceRevisionConfig.imageUri", mutableImageReason),
  textRejection("sourceConfig.repoUrl", repositoryReason),
  textRejection("sourceRevisionConfig.agentgraphConfigPath", configPathReason),
  textRejection("sourceRevisionConfig.repoRef", refReason),
  textRejection("sourceConfig.customUrl", (url) =>
    URL.canParse(url) ? undefined : `${printed(url)} is not a valid URL; expected https://host/path.`,
  ),
  warningRule(
    ["sourceConfig.buildOnPush", "sourceRevisionConfig.repoRef"],
    ({ sourceConfig, sourceRevisionConfig: { repoRef } = {} }) =>
      sourceConfig?.buildOnPush === false && repoRef && !isTag(repoRef)
        ? `is false, so pushes to ${repoRef} do not create revisions.`
        : undefined,
  ),
  textWarning("sourceConfig.deploymentType", (type) =>
    KNOWN_VALUES.DeploymentType.some((known) => known === type.toLowerCase())
      ? undefined
      : `"${type}" is not a known type (${KNOWN_VALUES.DeploymentType.join(", ")}); it is sent as it is, and ` +
        "the server decides.",
  ),
  warningRule([SPEC], ({ source, sourceConfig }) =>
    source === "external_docker" || sourceConfig?.resourceSpec === undefined
      ? undefined
      : "is described for external images alone; it is sent as it is, and the server decides.",
  ),
  { paths: [...COMMANDS], check: unusedCommands },
  { paths: [...COMMANDS], severity: "rejection", check: rejectedCommands },
  ...["secrets", "environment", "secretReferences"].map((path) => ({
    ...entryRule<Inputs>(path, variableReason),
    severity: "rejection" as const,
  })),
  {
    paths: ["secrets", "environment", "secretReferences"],
    check: ({ secretReferences = {}, ...inputs }) =>
      (["secrets", "environment"] as const).flatMap((map) =>
        Object.keys(secretReferences)
          .filter((name) => Object.hasOwn(inputs[map] ?? {}, name))
          .map((name) =>
            failureAt(`secretReferences.${name}`, `is also in ${map}; declare ${name} in only one of the two.`),
          ),
      ),
  },
];

export const warnings: readonly Rule<Inputs>[] = rules.map((rule) => ({ severity: "warning", ...rule }));

function specWarnings({ sourceConfig }: Inputs): CheckFailure[] {
  const spec = sourceConfig?.resourceSpec ?? {};
  const overCeiling = CEILINGS.flatMap(({ fields, max: most, unit }) =>
    fields
      .filter((field) => Number(spec[field] ?? 0) > most)
      .map((field) =>
        failureAt(
          `${SPEC}.${field}`,
          `${spec[field]} is above ${most} ${unit}, the limit of the cloud service; a self-hosted server may allow it.`,
        ),
      ),
  );
  const scaleWarnings = (
    [
      ["minScale", "maxScale"],
      ["queueMinScale", "queueMaxScale"],
    ] as const
  )
    .filter(([least, most]) => (spec[least] ?? 0) > (spec[most] ?? Number.POSITIVE_INFINITY))
    .map(([least, most]) => failureAt(`${SPEC}.${least}`, `${spec[least]} is above ${most}, which is ${spec[most]}.`));
  return [...overCeiling, ...scaleWarnings];
}

/** Limits are what defaults to twice another field. That of the cache's memory has a rule (rules.ts). */
function limitsBelowRequests({ sourceConfig }: Inputs): CheckFailure[] {
  const spec = sourceConfig?.resourceSpec ?? {};
  return (Object.entries(derivedDefaults) as [SpecField, [SpecField, number]][])
    .filter(([limit, [request, factor]]) => factor === 2 && Number(spec[limit]) < Number(spec[request] ?? 0))
    .map(([limit, [request]]) =>
      failureAt(`${SPEC}.${limit}`, `${spec[limit]} is below ${request}, which is ${spec[request]}.`),
    );
}

/** Characters that the server rejects in commands (API `2A.SourceConfig.install_command:form`). */
const REJECTED_CHARACTERS = /['"`\\\n|;$<>]|(?<!&)&(?!&)/;

/** Sources with a graph configuration file, from which the server builds. Others deploy what is built already. */
const BUILT_SOURCES: ReadonlySet<string> = new Set(["githost", "internal_source"] satisfies Inputs["source"][]);

function unusedCommands(inputs: Inputs): CheckFailure[] {
  if (BUILT_SOURCES.has(inputs.source)) return [];
  const sources = [...BUILT_SOURCES].join(" and ");
  return COMMANDS.filter((path) => valueAt(inputs, path) !== undefined).map((path) =>
    failureAt(path, `may have no effect, because only ${sources} are known to be built.`),
  );
}

function rejectedCommands(inputs: Inputs): CheckFailure[] {
  if (!BUILT_SOURCES.has(inputs.source)) return [];
  return COMMANDS.flatMap((path) => {
    const match = REJECTED_CHARACTERS.exec(String(valueAt(inputs, path) ?? ""))?.[0];
    return match
      ? failureAt(
          path,
          `may be rejected because of ${JSON.stringify(match)}; move the command into a script in the ` +
            "repository and call the script.",
        )
      : [];
  });
}

/** Environment variables that the platform sets on the cloud service (API `2A.Secret.name:reserved`). */
const RESERVED_VARIABLES: ReadonlySet<string> = new Set([
  "POSTGRES_URI",
  "REDIS_URI",
  "PORT",
  "PATH",
  "DATABASE_URI",
  "REDIS_CLUSTER",
]);

function variableReason(name: string): string | undefined {
  if (RESERVED_VARIABLES.has(name)) return "is set by the platform on the cloud service, which may reject it.";
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
    ? undefined
    : "is not a portable name of an environment variable; use letters, digits and underscores, not starting " +
        "with a digit.";
}

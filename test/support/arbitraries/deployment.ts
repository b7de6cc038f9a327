import fc from "fast-check";
import type { PropertyMap } from "../../../provider/schema/schema";
import { listener } from "../deployments";
import { label, noProto, optional, resourceSpec, texts, word } from "./resource-spec";

/** Names of environment variables, as users have them. A value may look like a mask without being one. */
const environment = fc.constantFrom("A", "API_KEY", "LOG.LEVEL", "lower_case", "camelCase");
const secrets = fc.dictionary(environment, fc.oneof(label, fc.constantFrom("*", "a\nb")), { maxKeys: 3, ...noProto });
const references = fc.dictionary(
  fc.constantFrom("TOKEN", "DB.URL"),
  fc.record({ secretName: word, secretKey: word }, noProto),
  noProto,
);

const common = {
  secrets,
  redeployTriggers: texts,
  rollbackOnFailure: fc.boolean(),
  waitFor: fc.constantFrom("deployed", "healthy", "none"),
};
const commands = {
  installCommand: fc.constantFrom("npm ci", "npm ci --omit=dev && npm run more"),
  buildCommand: fc.constantFrom("npm run build", "make all"),
};
const configPath = fc.constantFrom("agentgraph.json", "app/agentgraph.json");
const image = fc.constantFrom("registry.example.com/agent:1", "registry.example.com/agent:2");

const declared = (source: string, own: Record<string, fc.Arbitrary<unknown>>, required: string[] = []) =>
  fc
    .record<PropertyMap>(
      { source: fc.constant(source), name: fc.constant("agent"), ...common, ...own },
      { requiredKeys: ["source", "name", ...required], ...noProto },
    )
    .map((bag): PropertyMap => JSON.parse(JSON.stringify(bag)));

const githost = declared(
  "githost",
  {
    sourceConfig: fc.record(
      {
        integrationId: fc.constant("33333333-3333-4333-8333-333333333333"),
        repoUrl: fc.constant("https://git.example/team/agent"),
        deploymentType: fc.constantFrom("dev_free", "dev", "prod", "dev_zero"),
        buildOnPush: fc.boolean(),
        ...commands,
      },
      { requiredKeys: ["repoUrl"], ...noProto },
    ),
    sourceRevisionConfig: fc.record(
      { repoRef: fc.constantFrom("main", "feature/x", "refs/tags/v1"), agentgraphConfigPath: configPath },
      { requiredKeys: ["agentgraphConfigPath"], ...noProto },
    ),
  },
  ["sourceConfig", "sourceRevisionConfig"],
);

const externalDocker = declared(
  "external_docker",
  {
    sourceConfig: fc
      .record(
        {
          listenerId: fc.constant(listener),
          listenerConfig: fc.record({ k8sNamespace: fc.constantFrom("default", "agents") }, optional),
          customUrl: fc.constantFrom("http://127.0.0.1:1/one", "http://127.0.0.1:1/two"),
          resourceSpec,
        },
        optional,
      )
      .map(({ listenerConfig, ...rest }) => (rest.listenerId && listenerConfig ? { ...rest, listenerConfig } : rest)),
    sourceRevisionConfig: fc.record({ imageUri: image }, noProto),
    secretReferences: references,
    // Nothing answers at an address of the user's own here.
    waitFor: fc.constantFrom("deployed", "none"),
  },
  ["sourceRevisionConfig"],
);

/** Without an image the change of a secret makes a revision that has nothing to run, so these have one. */
const internalDocker = declared("internal_docker", { sourceRevisionConfig: fc.record({ imageUri: image }, noProto) }, [
  "sourceRevisionConfig",
]);
const internalTemplate = declared("internal_template", {});

/** `folders` have a graph configuration at both paths. */
const internalSource = (folders: string[]) =>
  declared(
    "internal_source",
    {
      sourcePath: fc.constantFrom(...folders),
      sourceConfig: fc.record(commands, optional),
      sourceRevisionConfig: fc.record({ agentgraphConfigPath: configPath }, noProto),
    },
    ["sourcePath", "sourceRevisionConfig"],
  );

/** Declarations that the schema and every failing rule accept, by source, with every optional field there or not. */
export const declarations = (folders: string[]): Record<string, fc.Arbitrary<PropertyMap>> => ({
  githost: githost.map(withoutTagPush),
  external_docker: externalDocker,
  internal_docker: internalDocker,
  internal_source: internalSource(folders),
  internal_template: internalTemplate,
});

/** A tag is not built on push. */
function withoutTagPush(declaration: PropertyMap): PropertyMap {
  const { sourceConfig, sourceRevisionConfig } = declaration as Record<string, PropertyMap>;
  if (!String(sourceRevisionConfig?.repoRef).startsWith("refs/tags/") || !sourceConfig?.buildOnPush) return declaration;
  return { ...declaration, sourceConfig: { ...sourceConfig, buildOnPush: false } };
}

const IMMUTABLE = ["integrationId", "deploymentType", "listenerId", "listenerConfig"];
/** What the service keeps once it is set. */
const KEPT = ["customUrl", "installCommand", "buildCommand", "buildOnPush", "repoRef", "imageUri"];

/** A declaration and a change of it that needs no replacement and takes nothing away that cannot be taken away. */
export function changes(one: fc.Arbitrary<PropertyMap>): fc.Arbitrary<[before: PropertyMap, after: PropertyMap]> {
  const parts = ["secrets", "redeployTriggers", "waitFor", "rollbackOnFailure", "secretReferences", "sourcePath"];
  const groups = ["sourceConfig", "sourceRevisionConfig"];
  const taken = fc.subarray([...parts, ...groups]);
  return fc.tuple(one, one, taken).map(([before, other, from]) => {
    const after: PropertyMap = { ...before };
    for (const part of from) after[part] = other[part];
    for (const group of groups) after[group] = joined(before[group] as PropertyMap, after[group] as PropertyMap);
    return [before, withoutTagPush(JSON.parse(JSON.stringify(after)))];
  });
}

function joined(before: PropertyMap | undefined, after: PropertyMap | undefined): PropertyMap | undefined {
  const kept = Object.entries(before ?? {}).filter(([field]) => KEPT.includes(field));
  const fixed = Object.entries(before ?? {}).filter(([field]) => IMMUTABLE.includes(field));
  const free = Object.entries(after ?? {}).filter(([field]) => !IMMUTABLE.includes(field));
  const all = Object.fromEntries([...kept, ...free, ...fixed]);
  return after === undefined && Object.keys(all).length === 0 ? undefined : all;
}

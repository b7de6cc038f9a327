import fc from "fast-check";
import type { PropertyMap } from "../../../provider/schema/schema";
import { LISTENER_ID } from "../deployments/inputs";
import { allOptional, label, plainObject, resourceSpec, texts, word } from "./resource-spec";

/** Names of environment variables, as users have them. A value may look like a mask without being one. */
const environment = fc.constantFrom("A", "API_KEY", "LOG.LEVEL", "camelCase", "toString", "__token");
const secrets = fc.dictionary(environment, fc.oneof(label, fc.constantFrom("*", "a\nb")), {
  maxKeys: 3,
  ...plainObject,
});
/** Some of them are among the secrets as well, before or after a change. */
const plain = fc.dictionary(fc.constantFrom("A", "LOG.LEVEL", "MODE"), fc.oneof(label, fc.constant("")), {
  maxKeys: 3,
  ...plainObject,
});
const references = fc.dictionary(
  fc.constantFrom("TOKEN", "DB.URL"),
  fc.record({ secretName: word, secretKey: word }, plainObject),
  plainObject,
);

const common = {
  secrets,
  environment: plain,
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

const declarationOf = (source: string, sourceFields: Record<string, fc.Arbitrary<unknown>>, required: string[] = []) =>
  fc
    .record<PropertyMap>(
      { source: fc.constant(source), name: fc.constant("agent"), ...common, ...sourceFields },
      { requiredKeys: ["source", "name", ...required], ...plainObject },
    )
    .map((properties) => withDisjointNames(JSON.parse(JSON.stringify(properties))));

/** A name is in only one of the two. */
function withDisjointNames({ secrets, environment, ...rest }: PropertyMap): PropertyMap {
  const names = Object.entries(environment ?? {}).filter(([name]) => !Object.hasOwn(secrets ?? {}, name));
  return {
    ...rest,
    ...(secrets !== undefined && { secrets }),
    ...(environment !== undefined && { environment: Object.fromEntries(names) }),
  };
}

const githost = declarationOf(
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
      { requiredKeys: ["repoUrl"], ...plainObject },
    ),
    sourceRevisionConfig: fc.record(
      { repoRef: fc.constantFrom("main", "feature/x", "refs/tags/v1"), agentgraphConfigPath: configPath },
      { requiredKeys: ["agentgraphConfigPath"], ...plainObject },
    ),
  },
  ["sourceConfig", "sourceRevisionConfig"],
);

export const externalDocker = declarationOf(
  "external_docker",
  {
    sourceConfig: fc
      .record(
        {
          listenerId: fc.constant(LISTENER_ID),
          listenerConfig: fc.record({ k8sNamespace: fc.constantFrom("default", "agents") }, allOptional),
          customUrl: fc.constantFrom("http://127.0.0.1:1/one", "http://127.0.0.1:1/two"),
          resourceSpec,
        },
        allOptional,
      )
      .map(({ listenerConfig, ...rest }) => (rest.listenerId && listenerConfig ? { ...rest, listenerConfig } : rest)),
    sourceRevisionConfig: fc.record({ imageUri: image }, plainObject),
    secretReferences: references,
    // No server listens at a custom URL in these tests.
    waitFor: fc.constantFrom("deployed", "none"),
  },
  ["sourceRevisionConfig"],
);

/** These always have an image: without one, a changed secret creates a revision that has nothing to run. */
const internalDocker = declarationOf(
  "internal_docker",
  { sourceRevisionConfig: fc.record({ imageUri: image }, plainObject) },
  ["sourceRevisionConfig"],
);
const internalTemplate = declarationOf("internal_template", {});

/** `folders` have a graph configuration at both paths. */
const internalSource = (folders: string[]) =>
  declarationOf(
    "internal_source",
    {
      sourcePath: fc.constantFrom(...folders),
      sourceConfig: fc.record(commands, allOptional),
      sourceRevisionConfig: fc.record({ agentgraphConfigPath: configPath }, plainObject),
    },
    ["sourcePath", "sourceRevisionConfig"],
  );

/** Declarations that the schema and all rules accept, by source. Each optional field is present or absent. */
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
/** Fields that cannot be removed once they are set. */
const NOT_REMOVABLE = ["customUrl", "installCommand", "buildCommand", "buildOnPush", "repoRef", "imageUri"];

/** A declaration and a change of it that needs no replacement and removes only what can be removed. */
export function inPlaceChanges(
  one: fc.Arbitrary<PropertyMap>,
): fc.Arbitrary<[before: PropertyMap, after: PropertyMap]> {
  const parts = [
    ...["secrets", "environment", "redeployTriggers", "waitFor", "rollbackOnFailure", "secretReferences", "sourcePath"],
  ];
  const groups = ["sourceConfig", "sourceRevisionConfig"];
  const replaced = fc.subarray([...parts, ...groups]);
  return fc.tuple(one, one, replaced).map(([before, other, from]) => {
    const after: PropertyMap = { ...before };
    for (const part of from) after[part] = other[part];
    for (const group of groups) after[group] = mergeGroup(before[group] as PropertyMap, after[group] as PropertyMap);
    return [before, withDisjointNames(withoutTagPush(JSON.parse(JSON.stringify(after))))];
  });
}

function mergeGroup(before: PropertyMap | undefined, after: PropertyMap | undefined): PropertyMap | undefined {
  const retained = Object.entries(before ?? {}).filter(([field]) => NOT_REMOVABLE.includes(field));
  const fixed = Object.entries(before ?? {}).filter(([field]) => IMMUTABLE.includes(field));
  const mutable = Object.entries(after ?? {}).filter(([field]) => !IMMUTABLE.includes(field));
  const all = Object.fromEntries([...retained, ...mutable, ...fixed]);
  return after === undefined && Object.keys(all).length === 0 ? undefined : all;
}

/** The Pulumi package schema: what generated SDKs and the documentation of a registry are made of. */
import { AGENT_SERVICE } from "../../provider/components/agent-service";
import { nativeToken } from "../../provider/definition/type-token";
import { definitions } from "../../provider/definitions";
import { functions } from "../../provider/functions/functions";
import { agentServiceSpec } from "./components";
import { functionOf } from "./functions";
import { languagesOf } from "./languages";
import { resourceOf } from "./resources";
import { configOf, providerOf } from "./settings";
import type { FunctionSpec, PackageSpec, ResourceSpec } from "./spec";
import { TypeRegistry } from "./types";

/** The fields of package.json that the schema repeats. */
export interface PackageMetadata {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly author?: string | { readonly name: string };
  readonly homepage?: string;
  readonly repository?: string | { readonly url: string };
}

/**
 * @param examplesOf Returns the examples of a resource or a function, as Markdown.
 * @param pluginDownloadURL Where the CLI downloads the plugin for programs in other languages (default: the releases of
 * a repository on GitHub, otherwise nowhere: it must be installed, or named in Pulumi.yaml).
 * @throws if anything that users see has no description.
 */
export function packageSchema(
  { name, version, description, license, keywords, author, homepage, repository }: PackageMetadata,
  examplesOf: (name: string) => string,
  pluginDownloadURL?: string,
): PackageSpec {
  const types = new TypeRegistry();
  const repositoryUrl = (typeof repository === "string" ? repository : repository?.url)?.replace(/^git\+|\.git$/g, "");
  const publisher = typeof author === "string" ? author : author?.name;
  const [, path] = /^https:\/\/github\.com\/([^/]+\/[^/]+)$/.exec(repositoryUrl ?? "") ?? [];
  // The releases of a repository on GitHub contain the archives.
  const server = pluginDownloadURL ?? (path && `github://api.github.com/${path}`);
  const specs = [
    ...definitions.map((definition) => [definition.kind, resourceOf(definition, types)] as const),
    [AGENT_SERVICE, agentServiceSpec(types)] as const,
  ];
  const resources = specs.map(([name, spec]): [string, ResourceSpec] => [
    nativeToken(name),
    { ...spec, description: withExamples(spec, examplesOf(name)) },
  ]);
  const functionSpecs = functions.map((definition): [string, FunctionSpec] => {
    const spec = functionOf(definition, types);
    return [nativeToken(definition.name), { ...spec, description: withExamples(spec, examplesOf(definition.name)) }];
  });
  const variables = configOf(types);
  const provider = providerOf(types);
  return {
    name: "agentgraph",
    displayName: "AgentGraph",
    version,
    description,
    keywords: [...keywords, "category/infrastructure", "kind/native"],
    ...((homepage ?? repositoryUrl) && { homepage: homepage ?? repositoryUrl }),
    license,
    ...(publisher && { publisher }),
    ...(repositoryUrl && { repository: repositoryUrl }),
    ...(path && { logoUrl: `https://raw.githubusercontent.com/${path}/v${version}/docs/logo.png` }),
    ...(server && { pluginDownloadURL: server }),
    meta: { supportPack: true },
    language: languagesOf(name),
    config: { variables },
    provider,
    resources: Object.fromEntries(resources),
    functions: Object.fromEntries(functionSpecs),
    types: types.types,
  };
}

const withExamples = ({ description }: { description: string }, examples: string) => `${description}\n\n${examples}`;

/**
 * The committed package schema is complete for its readers: the users of generated SDKs and of a registry's
 * documentation.
 */
import { z } from "zod";
import pkg from "../../../package.json";
import { packageSchema } from "../../../plugin/schema/package";
import type { ObjectSpec, PackageSpec, PropertySpec, TypeSpec } from "../../../plugin/schema/spec";
import { TypeRegistry } from "../../../plugin/schema/types";
import schema from "../../../plugin/schema.json";
import { AGENT_SERVICE } from "../../../provider/components/agent-service";
import { definitions } from "../../../provider/definitions";
import { functions } from "../../../provider/functions/functions";
import { pathsOf } from "../../../provider/schema/fields";
import { environmentName } from "../../../provider/settings/servers";
import { settingsSchema } from "../../../provider/settings/settings-schema";
import { blocksOf } from "../../docs/support/markdown";

const { resources, functions: calls, types, provider, config } = schema as unknown as PackageSpec;
const token = (name: string) => `agentgraph:index:${name}`;
const resource = (kind: string) => resources[token(kind)] as PackageSpec["resources"][string];
const typeNamed = (name: string) => types[token(name)];

/** All descriptions by path: of resources, functions, types, values and properties. */
function descriptions(): [path: string, text: string | undefined][] {
  const found: [string, string | undefined][] = [];
  const visit = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null) return;
    // A property may have the name `description`.
    if ("description" in value && typeof value.description !== "object")
      found.push([path, value.description as string]);
    for (const [key, part] of Object.entries(value)) visit(part, `${path}.${key}`);
  };
  visit({ resources, calls, types, provider, config }, "");
  return found;
}

it("Every resource and function has a token in the schema", () => {
  expect(Object.keys(resources)).toEqual([...definitions.map(({ kind }) => kind), AGENT_SERVICE].map(token));
  expect(Object.keys(calls)).toEqual(functions.map(({ name }) => token(name)));
});

it("Every resource, function, type and property has a description of whole sentences, without internal terms", () => {
  const all = { ...resources, ...calls, ...types };
  const properties = Object.entries(all).flatMap(([name, spec]) => {
    const objects = spec as { properties?: object; inputProperties?: object; inputs?: object; outputs?: object };
    return [
      objects.properties,
      objects.inputProperties,
      ...[objects.inputs, objects.outputs].map(propertiesOf),
    ].flatMap((some) => Object.entries(some ?? {}).map(([key, property]) => [`${name}.${key}`, property] as const));
  });
  const described = [...Object.entries(all), ...properties, ...Object.entries(provider.inputProperties)];
  expect(described.filter(([, spec]) => !spec.description).map(([name]) => name)).toEqual([]);
  expect(descriptions().filter(([, text]) => !/^[A-Z`].*[.})`]$/s.test(text ?? ""))).toEqual([]);
  const internal = /interface|\bsection\b|neutral word|our marker/i;
  expect(descriptions().filter(([, text = ""]) => internal.test(text))).toEqual([]);
  expect(descriptions().length).toBeGreaterThan(300);
});
const propertiesOf = (object: object | undefined) => (object as { properties?: object } | undefined)?.properties;

it("No description repeats a sentence", () => {
  const repeats = descriptions().filter(([, text = ""]) => {
    const sentences = text.split("## Example")[0]?.split(/(?<=\.)\s+/) ?? [];
    const long = sentences.filter((sentence) => sentence.length > 25);
    return new Set(long).size < long.length;
  });
  expect(repeats).toEqual([]);
});

it("A property or an object without a description stops the generation with its name", () => {
  const registry = new TypeRegistry();
  expect(() => registry.objectOf(z.object({ a: z.string() }), "Thing")).toThrow("Thing.a has no description");
  const nested = z.object({ part: z.object({}).describe("A part.") });
  expect(() => registry.objectOf(nested, "Thing")).toThrow("ThingPart is an object without an interface name");
});

it("Two different types of one name stop the generation", () => {
  const registry = new TypeRegistry();
  registry.register("Thing", { description: "A thing.", type: "object", properties: {} });
  expect(() => registry.register("Thing", { description: "Another.", type: "object", properties: {} })).toThrow(
    "Two different types are named Thing.",
  );
});

it("Every resource continues the state of a dynamic resource", () => {
  for (const { kind } of definitions)
    expect(resource(kind).aliases).toEqual([{ type: `pulumi-nodejs:dynamic/agentgraph:${kind}` }]);
});

const LANGUAGES = ["typescript", "python", "go", "csharp", "java", "yaml"];

it.each(definitions)("$kind has an example in every language, and the command that imports it", ({ kind, schema }) => {
  const languages = blocksOf(kind, resource(kind).description).map(({ language }) => language);
  expect(languages).toEqual([...LANGUAGES, "sh"]);
  const options = { examples: /^\{\{% (\/?)examples %\}\}$/gm, example: /^\{\{% (\/?)example %\}\}$/gm };
  for (const marker of Object.values(options))
    expect([...resource(kind).description.matchAll(marker)].map(([, end]) => end)).toEqual(["", "/"]);
  const [, imports = ""] = resource(kind).description.split("{{% /examples %}}\n\n## Import\n");
  const id = schema.container ? "<[^>]+>/<[^>]+>" : "<[^>]+>";
  expect(imports).toMatch(new RegExp(`^pulumi import ${token(kind)} [a-z-]+ ${id}$`, "m"));
});

it.each(functions)("$name has an example in every language, and with its arguments", ({ name, example }) => {
  const { description } = calls[token(name)] as PackageSpec["functions"][string];
  const blocks = blocksOf(name, description);
  expect(blocks.map(({ language }) => language)).toEqual(LANGUAGES);
  const values = [...example.plain.matchAll(/"([^"]+)"/g)].map(([, value = ""]) => value);
  for (const { text } of blocks) expect(values.filter((value) => !text.includes(value) && !isEnum(value))).toEqual([]);
});
/** Some languages write the name of a member. */
const isEnum = (value: string) =>
  Object.values(types).some((type) => "enum" in type && type.enum.some((member) => member.value === value));

it("Every path whose change replaces a resource is marked", () => {
  const isMarked = (properties: Record<string, PropertySpec>, [key = "", ...rest]: string[]): boolean => {
    const property = properties[key] as PropertySpec;
    if (rest.length === 0) return property.willReplaceOnChanges === true;
    return isMarked((typeOf(property) as { properties: Record<string, PropertySpec> }).properties, rest);
  };
  for (const { kind, schema } of definitions)
    for (const path of pathsOf(schema, ({ replaces }) => replaces))
      expect([path, isMarked(resource(kind).inputProperties, path.split("."))]).toEqual([path, true]);
});
const typeOf = ({ $ref = "" }: TypeSpec) => types[$ref.replace("#/types/", "")];

it("Whole inputs are secret, and a map with secret values is not, so that previews show its keys", () => {
  const secret = (properties: Record<string, PropertySpec>) =>
    Object.keys(properties).filter((key) => properties[key]?.secret);
  expect(definitions.flatMap(({ kind }) => secret(resource(kind).inputProperties))).toEqual(["credentials"]);
  expect(secret(provider.inputProperties)).toEqual(["apiKey", "bearerToken", "agentHeaders"]);
});

it("A deployment has the fields of all sources, and requires only those of each", () => {
  const { inputProperties, requiredInputs, properties, required } = resource("Deployment");
  expect(requiredInputs).toEqual(["source"]);
  expect(required).toEqual(expect.arrayContaining(["name", "source", "status"]));
  expect(Object.keys(inputProperties)).not.toContain("sourceDigest");
  expect(properties.sourceDigest?.description).toMatch(/Only with `source: internal_source`\.$/);
  expect(inputProperties.secretReferences?.description).toMatch(/Only with `source: external_docker`\.$/);
  expect(typeNamed("DeploymentSourceConfig")).not.toHaveProperty("required");
  expect(typeNamed("DeploymentSourceRevisionConfig")).not.toHaveProperty("required");
});

it("An enum that newer servers may extend also accepts text, and one of the provider's own options does not", () => {
  const { status, waitFor } = resource("Deployment").properties;
  expect(status?.oneOf).toEqual([{ type: "string" }, { $ref: `#/types/${token("DeploymentStatus")}` }]);
  expect(waitFor?.$ref).toBe(`#/types/${token("DeploymentWaitFor")}`);
});

it("Every value of an enum has a name that programs in all languages can use, with joined words apart", () => {
  const enums = Object.entries(types).flatMap(([name, type]) => ("enum" in type ? [[name, type.enum] as const] : []));
  expect(enums.length).toBeGreaterThan(15);
  for (const [name, values] of enums) {
    const names = values.map((value) => value.name);
    expect([name, names.filter((one) => !/^([A-Z][a-z0-9]*)+$/.test(one))]).toEqual([name, []]);
    expect(new Set(names).size).toBe(names.length);
  }
  const nameOf = (type: string, text: string) =>
    enums.find(([name]) => name === token(type))?.[1].find(({ value }) => value === text)?.name;
  expect(nameOf("DeploymentSource", "githost")).toBe("GitHost");
  expect(nameOf("DeploymentSource", "external_docker")).toBe("ExternalDocker");
  expect(nameOf("DeploymentStatus", "AWAITING_DATABASE")).toBe("AwaitingDatabase");
  expect(nameOf("BulkExportStatus", "TIMEDOUT")).toBe("TimedOut");
  expect(nameOf("BulkExportFormatVersion", "v2_beta")).toBe("V2Beta");
  expect(nameOf("ContainerImagePullPolicy", "IfNotPresent")).toBe("IfNotPresent");
});

it("The Node package of the schema is not the one of dynamic resources, which an import would move to", () => {
  const { nodejs, python, go } = (schema as unknown as PackageSpec).language as Record<string, { packageName: string }>;
  expect(nodejs?.packageName).toBe("pulumi-agentgraph-native");
  expect(python?.packageName).toBe("pulumi_agentgraph");
  // Pulumi derives the import path from the repository, and prints that one.
  expect(go).not.toHaveProperty("importBasePath");
});

it("A repository on GitHub is the home page, and its releases are where the CLI downloads the plugin", () => {
  const metadata = { ...pkg, author: "Acme", repository: { url: "git+https://github.com/acme/pulumi-agentgraph.git" } };
  expect(packageSchema(metadata, () => "")).toMatchObject({
    publisher: "Acme",
    repository: "https://github.com/acme/pulumi-agentgraph",
    homepage: "https://github.com/acme/pulumi-agentgraph",
    logoUrl: `https://raw.githubusercontent.com/acme/pulumi-agentgraph/v${pkg.version}/docs/logo.png`,
    pluginDownloadURL: "github://api.github.com/acme/pulumi-agentgraph",
  });
  const [repository, downloads] = ["https://git.example.com/acme/agents", "https://d.example.com"];
  const other = packageSchema({ ...pkg, repository }, () => "", downloads);
  expect([other.repository, other.pluginDownloadURL]).toEqual([repository, downloads]);
  expect(packageSchema(pkg, () => "")).not.toHaveProperty("pluginDownloadURL");
  expect((schema as unknown as PackageSpec).publisher).toBe(pkg.author);
});

it("No field of a result is a union, for which the Python SDK accepts only dicts", () => {
  const fields = Object.entries(calls).flatMap(([name, { outputs }]) =>
    Object.entries(outputs.properties).map(([key, { oneOf }]) => [name, key, oneOf] as const),
  );
  expect(fields.filter(([, , oneOf]) => oneOf !== undefined)).toEqual([]);
});

it("The stack configuration falls back to the environment, and an explicit provider does not", () => {
  expect(Object.keys(config.variables)).toEqual(Object.keys(settingsSchema.shape));
  for (const [key, { defaultInfo }] of Object.entries(config.variables))
    if (defaultInfo) expect(defaultInfo.environment).toEqual([environmentName(key)]);
  expect(config.variables.apiKey).toHaveProperty("defaultInfo");
  expect(Object.values(provider.inputProperties).filter(({ defaultInfo }) => defaultInfo)).toEqual([]);
});

it("A field that several sources share has one type, under the name that programs in Go, C# and Java use", () => {
  const { properties } = typeNamed("DeploymentSourceConfig") as ObjectSpec;
  expect(properties?.resourceSpec?.$ref).toBe("#/types/agentgraph:index:ResourceSpec");
});

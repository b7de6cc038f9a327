/**
 * What users see of a deprecated input: the example of docs/internal/additions.md, as a definition that only this test
 * has.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import { TypeRegistry } from "../../../plugin/schema/types";
import { inputsOf } from "../../../plugin/schema/variants";
import type { Definition } from "../../../provider/definition/definition";
import { definitions } from "../../../provider/definitions";
import { validate } from "../../../provider/plan/check";
import { UNKNOWN } from "../../../provider/plan/property-values";
import { resourceSchema } from "../../../provider/schema/fields";
import { fieldMetadata, type PropertyMap } from "../../../provider/schema/schema";
import { readSettings } from "../../../provider/settings/settings";
import { settingsSchema } from "../../../provider/settings/settings-schema";
import { textOf } from "../../docs/support/markdown";

const MESSAGE = "Use imageUri instead. Version 0.4 removes it.";
const WARNING = `imageName: is deprecated. ${MESSAGE}`;

const imageName = z.string().register(fieldMetadata, { deprecated: MESSAGE }).optional().describe("Image to deploy.");
const image = z
  .strictObject({ imageName, imageUri: z.string().optional().describe("Image to deploy.") })
  .register(fieldMetadata, { interface: "ExampleImageArgs", description: "An image." });
const inputs = z.strictObject({ ...image.shape, image: image.optional().describe("An image.") });

/** Returns what a check of the example's resource warns of. */
function warningsOf(declared: PropertyMap): string[] {
  const definition = { ...definitions[0], schema: resourceSchema({ inputs, outputs: z.object({}) }), rules: [] };
  const settings = { ownerMarker: true, vocabulary: { githost: "githost", agentgraph: "agentgraph" } };
  const { failures, warnings } = validate(definition as unknown as Definition, declared, { previous: {}, settings });
  expect(failures).toEqual([]);
  return warnings.map(({ path, reason }) => `${path}: ${reason}`);
}

it("A preview warns of a deprecated input wherever it is declared, even if its value is unknown", () => {
  expect(warningsOf({ imageUri: "a", image: {} })).toEqual([]);
  expect(warningsOf({ imageName: "a" })).toEqual([WARNING]);
  expect(warningsOf({ imageName: UNKNOWN, image: { imageName: "b" } })).toEqual([WARNING, `image.${WARNING}`]);
});

it("A deprecated setting is a warning with its source, and works as before", () => {
  const setting = settingsSchema.shape.ownerId;
  const before = fieldMetadata.get(setting);
  fieldMetadata.add(setting, { ...before, deprecated: MESSAGE });
  const { warnings, ownerId } = readSettings(() => undefined, { AGENTGRAPH_OWNER_ID: "acme" });
  const text = `ownerId: is deprecated. ${MESSAGE} (from the environment variable AGENTGRAPH_OWNER_ID)`;
  expect([ownerId, warnings]).toEqual(["acme", [{ text }]]);
  fieldMetadata.remove(setting);
  if (before) fieldMetadata.add(setting, before);
});

it("The package schema, from which the SDKs are generated, has the message", () => {
  const { properties } = new TypeRegistry().objectOf(inputs, "Example");
  expect(properties.imageName).toMatchObject({ deprecationMessage: MESSAGE });
  expect(properties.imageUri).not.toHaveProperty("deprecationMessage");
});

it("The package schema has the message only if all variants of an input are deprecated", () => {
  const variant = (source: string, shape: object) =>
    z.strictObject({ source: z.literal(source).describe(`${source}.`), ...shape });
  const merged = (...variants: z.ZodObject[]) =>
    inputsOf(z.discriminatedUnion("source", variants as never), "Example", new TypeRegistry());
  const deprecated = merged(variant("a", { imageName }), variant("b", {}));
  expect(deprecated.properties.imageName).toMatchObject({ deprecationMessage: MESSAGE });
  const partly = merged(variant("a", { imageName }), variant("b", { imageName: image.shape.imageUri }));
  expect(partly.properties.imageName).not.toHaveProperty("deprecationMessage");
});

it("The comment in TypeScript has the tag, so that editors strike the input through", () => {
  const program = `
    import { createRequire } from "node:module";
    import { createWriter } from "./scripts/generate/typescript/writer.ts";
    const { z } = createRequire(import.meta.url)("zod");
    const { fieldMetadata } = createRequire(import.meta.url)("./dist/provider/schema/schema.js");
    const deprecated = z.string().register(fieldMetadata, { deprecated: ${JSON.stringify(MESSAGE)} });
    const fields = { imageName: deprecated.optional().describe("Image to deploy.") };
    console.log(createWriter().interfaceText("ExampleArgs", fields, () => (type) => type, { path: "Example" }));`;
  const args = ["--input-type=module", "--eval", program];
  const text = execFileSync(process.execPath, args, { cwd: join(__dirname, "../../.."), encoding: "utf8" });
  expect(text).toContain(`  /**\n   * Image to deploy.\n   * @deprecated ${MESSAGE}\n   */\n  imageName?: string;\n`);
});

it("The documentation quotes the definition and the texts of this example", () => {
  const additions = textOf("docs/internal/additions.md").replace(/\s+/g, " ");
  expect(additions).toContain(`.register(fieldMetadata, { deprecated: "${MESSAGE}" })`);
  for (const text of [`@deprecated ${MESSAGE}`, WARNING]) expect(additions).toContain(`\`${text}\``);
  expect(textOf("docs/upgrading.md")).toContain(`\`${WARNING}\``);
});

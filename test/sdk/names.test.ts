/** Names in programs: of deployments that declare none, and of inputs in ignoreChanges. */
import * as pulumi from "@pulumi/pulumi";
import { defineClass as defineNativeClass } from "../../dist/sdk/nodejs/native/resource";
import { defineClass } from "../../dist/sdk/nodejs/resource";
import { resources } from "../../dist/sdk/nodejs/resources";
import { type Class, waitUntilRegistered } from "./shared/registrations";

const Deployment = defineClass<Class>("Deployment", resources.Deployment);
const NativeDeployment = defineNativeClass<Class>("Deployment", resources.Deployment);
const args = { source: "external_docker", sourceRevisionConfig: { imageUri: "r.example/a:1" } };

describe("A default name", () => {
  it("is the name of the resource, and also an internal input, so that check can keep a previous one", async () => {
    for (const name of [undefined, null, pulumi.output(undefined), Promise.resolve(undefined)]) {
      const { inputs } = await waitUntilRegistered(new Deployment("agent", { ...args, name }));
      expect([inputs.name, inputs.__defaultName]).toEqual(["agent", "agent"]);
    }
  });

  it("is not used for a declared name, whether it is a string or an Output", async () => {
    for (const name of ["mine", pulumi.output("mine"), Promise.resolve("mine")]) {
      const { inputs } = await waitUntilRegistered(new Deployment("agent", { ...args, name }));
      expect(inputs.name).toBe("mine");
      expect(inputs).not.toHaveProperty("__defaultName");
    }
  });
});

it.each<[string, string | undefined]>([
  ["sourceRevisonConfig", 'did you mean "sourceRevisionConfig"?'],
  ["sourceRevisionConfig.imageUrl", 'did you mean "sourceRevisionConfig.imageUri"?'],
  ['sourceConfig["resourceSpec"].cpus', 'did you mean "sourceConfig.resourceSpec.cpu"?'],
  ["image", "expected one of name, source, sourceConfig"],
  ...["*", "secrets", "secrets.KEY", 'secrets["a.b"]', "sourceConfig.resourceSpec.volumes[0].name", "url"].map(
    (path): [string, undefined] => [path, undefined],
  ),
])("A program is warned of the path %j in ignoreChanges if it names no input", (path, expected) => {
  const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
  for (const OfHost of [Deployment, NativeDeployment]) new OfHost("ignoring", args, { ignoreChanges: [path] });
  const texts = warn.mock.calls.map(([text]) => text).filter((text) => text.includes("ignoreChanges"));
  warn.mockRestore();
  const line = `Deployment "ignoring": ignoreChanges: "${path}" names no input, so it has no effect`;
  const one = expect.stringContaining(line);
  expect(texts).toEqual(expected === undefined ? [] : [one, one]);
  for (const text of texts) expect(text).toContain(expected);
});

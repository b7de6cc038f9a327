/**
 * What functions wait for: resources that a preview is still to create. The engine's side is Pulumi's own mock, in a
 * preview.
 */
import * as pulumi from "@pulumi/pulumi";
import { isKnown, promiseOf, whenCreated } from "../../../sdk/nodejs/shared/outputs";

beforeAll(() =>
  pulumi.runtime.setMocks(
    {
      // A preview knows the IDs of what exists already.
      newResource: ({ name, inputs }) => ({ id: name.startsWith("new") ? undefined : `${name}-id`, state: inputs }),
      call: () => ({}),
    },
    "shop",
    "dev",
    true,
  ),
);

class Thing extends pulumi.CustomResource {
  declare readonly label: pulumi.Output<string>;
  constructor(name: string, options?: pulumi.CustomResourceOptions) {
    super("shop:index:Thing", name, { label: name }, options);
  }
}
class Shelf extends pulumi.ComponentResource {
  constructor(name: string, thing: string, options?: pulumi.ComponentResourceOptions) {
    super("shop:index:Shelf", name, {}, options);
    new Thing(thing, { parent: this });
    this.registerOutputs();
  }
}
const nothing = pulumi.output("text");

it.each<[string, boolean, () => pulumi.Output<unknown>]>([
  ["nothing at all", true, () => whenCreated(nothing, undefined)],
  ["a resource that exists", true, () => whenCreated(nothing, new Thing("old"))],
  ["a resource that is new", false, () => whenCreated(nothing, [new Thing("old-1"), new Thing("new")])],
  ["a new one in an Output of a list", false, () => whenCreated(nothing, pulumi.output([new Thing("new-1")]))],
  ["a component whose part exists", true, () => whenCreated(nothing, new Shelf("shelf", "old-2"))],
  ["a component whose part is new", false, () => whenCreated(nothing, new Shelf("shelf-1", "new-2"))],
  ["a value of one that exists", true, () => whenCreated(pulumi.output({ a: [new Thing("old-3").label] }), undefined)],
  ["a known value of a new one", false, () => whenCreated(pulumi.output({ a: [new Thing("new-3").label] }), undefined)],
])("what waits for %s is known: %s", async (_what, expected, make) => {
  expect(await isKnown(make())).toBe(expected);
});

it("whenCreated of existing resources has no unknown values", async () => {
  expect(await promiseOf(pulumi.output(new Thing("new-4").label))).toBe("new-4");
});

it("an Output that waits for resources depends on them", async () => {
  const old = new Thing("old-4");
  const waits = whenCreated(nothing, old) as unknown as { allResources(): Promise<Set<pulumi.Resource>> };
  expect(await waits.allResources()).toContain(old);
});

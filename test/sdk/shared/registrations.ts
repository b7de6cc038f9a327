/** What a resource class registers with the engine, which is a mock of the Pulumi SDK. */
import * as pulumi from "@pulumi/pulumi";

export interface Registered {
  type: string;
  name: string;
  /** Set for a resource that is only read. */
  id?: string | undefined;
  inputs: Record<string, unknown>;
}
const registered: Registered[] = [];

beforeAll(() =>
  pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs, id }) => {
        registered.push({ type, name, inputs, id });
        return { id: `${name}-id`, state: { ...inputs, url: "https://agent.example" } };
      },
      call: () => ({}),
    },
    "shop",
    "dev",
    false,
    "acme",
  ),
);

export interface Class {
  new (name: string, args: pulumi.Inputs, options?: pulumi.CustomResourceOptions): pulumi.CustomResource;
  get(
    name: string,
    id: pulumi.Input<string>,
    options?: pulumi.CustomResourceOptions,
  ): pulumi.CustomResource & Record<string, pulumi.Output<unknown>>;
  isInstance(value: unknown): boolean;
}

export const known = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve));
/** Returns the registration of a resource. */
export async function waitUntilRegistered(made: pulumi.Resource): Promise<Registered> {
  const [type, name] = (await known(made.urn)).split(/::|\$/).slice(-2);
  return registered.findLast((one) => one.type === type && one.name === name) as Registered;
}

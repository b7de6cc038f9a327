import { type Client, createDeployment, docker, start } from "../../support/emulator";

/** Creates a deployment with a resource spec, and returns the spec with its defaults. */
export async function specWithDefaults(spec: object): Promise<unknown> {
  const client = await start({ strict: true });
  return (await createDeployment(client, docker("agent", { source_config: { resource_spec: spec } }))).source_config
    .resource_spec;
}

/** Creates a deployment with an invalid resource spec, and returns the path in the spec and the type of each error. */
export async function specErrors(client: Client, spec: object): Promise<[path: string | false, type: string][]> {
  const response = await client.post("/v2/deployments", docker("agent", { source_config: { resource_spec: spec } }));
  expect(response.status).toBe(422);
  const base = ["body", "source_config", "resource_spec"];
  return response.body.detail.map(({ loc, type }) => [
    loc.slice(0, 3).join() === base.join() && loc.slice(3).join("."),
    type,
  ]);
}

/** Which deletions the provider refuses, and what a run knows of the objects of its resources. */
import { ManagedObjects, namedObject } from "../../../../provider/engine/run/managed-objects";
import { createThread } from "../../../support/agents/threads";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { failureOf } from "../../../support/errors";
import { startPlatform } from "../../../support/platform";
import { Stack, startStack, stateOf } from "../../../support/stack";
import { definitionOf } from "../../plan/plans";

const object = { kind: "Thread", id: "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee", urn: "urn:pulumi:dev::shop::t::session" };

it.each(["created", "resumed", "imported"] as const)(
  "An object that this run %s for a resource is not deleted as the one that the resource replaces",
  (how) => {
    const objects = new ManagedObjects();
    objects.note({ ...object, how });
    expect(() => objects.reasonToKeep(object)).toThrow("was created earlier in this run; refusing to delete it");
  },
);

it("An object that the program still declares is kept, and the message claims nothing about an earlier run", () => {
  const objects = new ManagedObjects();
  objects.note({ ...object, how: "kept" });
  expect(objects.reasonToKeep(object)).toBe(
    `Thread ${object.id} was not deleted, because the program still declares it. Only an old entry of it was ` +
      "removed from state, which an import or an unfinished replacement leaves.",
  );
});

it.each<[string, object, object, boolean]>([
  ["in two deployments", { container: "a" }, { container: "b" }, false],
  ["in one deployment, in any case", { container: "a" }, { container: "A" }, true],
  ["at two URLs", { containerUrl: "https://a.example" }, { containerUrl: "https://b.example" }, false],
  ["in a deployment and at a URL, perhaps the same", { container: "a" }, { containerUrl: "https://a.example" }, true],
])("Equal IDs %s are one object: %#", (_where, one, other, isOne) => {
  const objects = new ManagedObjects();
  objects.note({ ...object, ...one, how: "kept" });
  const another = { ...object, ...other, urn: "urn:pulumi:dev::shop::t::other" };
  expect(objects.reasonToKeep(another) !== undefined).toBe(isOne);
});

it("An object that another resource of the run manages is not managed twice", () => {
  const objects = new ManagedObjects();
  objects.note({ ...object, how: "kept" });
  expect(() => objects.noteExisting({ ...object, urn: "urn:of:another", how: "imported" })).toThrow(
    `is also managed by ${object.urn}, and two resources cannot manage the same object.`,
  );
});

it("An object on an agent server is named with its deployment, or the URL of its server", () => {
  const thread = definitionOf("Thread");
  const inputs = { deploymentUrl: "https://Agents.example/base/" };
  const { id, urn } = object;
  expect(namedObject(thread, id, inputs, { urn })).toEqual({ ...object, containerUrl: "https://agents.example/base" });
  expect(namedObject(thread, id, { deploymentId: "d" }, { urn })).toEqual({ ...object, container: "d" });
});

it("The error of an import names a secret that differs, and shows neither value, however short", async () => {
  const platform = await startPlatform();
  const owner = await startStack(platform, dockerDeployment({ secrets: { PIN: "123" } }));
  const stack = new Stack(platform, { stack: "other", host: "dynamic" });
  const late = stack.up(dockerDeployment({ secrets: { PIN: "789" } }), stack.host(), { __import: stateOf(owner).id });
  const { message } = await failureOf(late);
  expect(message).toMatch(/^ {2}secrets\.PIN$/m);
  expect(message.replaceAll(stateOf(owner).id, "")).not.toMatch(/123|789/);
});

it("A refresh keeps the note that an update is unfinished, so that the next `pulumi up` continues it", async () => {
  const { agents, stack } = await createThread();
  await agents.emulator.faults.add({ method: "PATCH", path: "/agents/**", status: 405, times: 99 });
  const changed = agents.threadInputs({ metadata: { graph_id: "echo", team: "sales" } });
  await expect(stack.up(changed)).rejects.toThrow();
  expect(stateOf(stack).outputs.__unready).toBe(true);
  await stack.refresh();
  expect(stateOf(stack).outputs.__unready).toBe(true);
});

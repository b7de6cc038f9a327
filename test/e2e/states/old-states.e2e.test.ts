/**
 * State that earlier versions wrote still works: a preview without changes, then refresh, update and destroy. `npm
 * test` updates those of the native provider and every second other one, with and without a refresh by turns, moves the
 * rest to it, and destroys those of a service, which has most kinds; before a release each is tried in all ways.
 * To record a new state, write test/old-states/<version>-<what>/program.js and set RECORD_OLD_STATE=<folder>. Its
 * comments "Changed: <old text> to <new text>: <input> of <resources>" say what the tests change, and what is then
 * updated. Of a state with a check that failed, this change is the one that failed.
 */
import { isComplete } from "../../support/run/runs";
import { type CommandResult, fails, succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { changedProperties, drifted, steps } from "../support/cli/events";
import { Program } from "../support/programs/program";
import { World } from "../support/world";
import { oldProgram, oldStates, toNative } from "./old-program";
import { record, restore } from "./old-state";

const world = new World({
  ...{ strict: true, speed: "instant" },
  ...{ bucketKey: "a-bucket-key-of-old", bucketSecret: "a-bucket-secret-of-old" },
});
const { RECORD_OLD_STATE: recordName } = process.env;

const tenants = ["11111111-1111-4111-8111-111111111111", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"];

/** @param folder Name of the folders of the program and of its state. */
async function prepare(name: string, folder = name): Promise<CliStack> {
  // A pipeline accepts no folder that it may delete.
  const env = {
    CI: "false",
    STORY_BUCKET_URL: world.emulator.bucket.url,
    ...(/-(exports|destination|service)$/.test(name) && world.tracing),
  };
  const program = await Program.create(await world.createFolder(`program-${folder}`), "old-states");
  const stack = await world.stack({ project: "old-states", backend: folder, program, env });
  await stack.program.file("index.js", await oldProgram(name));
  return stack;
}

const allDeployments = async () =>
  (await Promise.all(tenants.map((tenant) => world.deployments({ "x-tenant-id": tenant })))).flat();

afterEach(() => world.emulator.reset());

if (recordName) {
  test(`${recordName} is recorded`, async () => {
    const stack = await prepare(recordName);
    if (isNative(recordName)) await stack.program.usePlugin();
    expect(await stack.up()).toMatchObject({ code: 0 });
    // A destination with adoptExisting stays, and the second up adopts it.
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await stack.up()).toMatchObject({ code: 0 });
    if (isFailed(recordName)) {
      await world.emulator.faults.add(BAD_REPLY);
      await stack.program.file("index.js", changed(await oldProgram(recordName)));
      expect((await stack.up()).code).not.toBe(0);
    }
    const remote = await Promise.all((await allDeployments()).map(({ id }) => world.getDeployment(id)));
    await record(
      recordName,
      stack,
      world,
      remote.filter((one) => one !== undefined),
    );
  });
}

/** Fails the next question to an agent. */
const BAD_REPLY = { method: "POST", path: "/agents/*/runs/wait", status: 500 };
const FAILED = "0.1.0-failed-check";
const isFailed = (name: string) => name === FAILED;
const isNative = (name: string) => name.includes("-native-");
const hasMostKinds = (name: string) => name.endsWith("-service");

/** Returns the steps for resources. A move between the two providers also replaces an explicit Provider. */
const resourceSteps = (result: CommandResult) =>
  steps(result)
    .filter((step) => !/ elsewhere$|^refresh /.test(step))
    .sort();

/** States of the native provider, which cannot be moved to it, are updated. */
const movable = oldStates.filter((name) => !isNative(name) && !isFailed(name));
const moved = movable.filter((_, index) => isComplete || index % 2 === 1);
const updated = oldStates.filter((name) => !isFailed(name) && (isComplete || !moved.includes(name)));

test.each(updated)("the state %s needs no migration, finds no drift, and is updated", async (name) => {
  const stack = await prepare(name);
  if (isNative(name)) await stack.program.usePlugin();
  await restore(name, stack, world);
  await world.requests();

  if (isComplete) {
    // The Provider in this state has the setting `nameTemplate`, which programs can no longer set: only the Provider
    // changes.
    const preview = await succeeds(stack.preview(...(name === "0.1.0-deployment" ? [] : ["--expect-no-changes"])));
    expect(resourceSteps(preview)).toEqual([]);
    expect(await world.requests()).toEqual([]);
  }
  await updates(stack, name, { isRefreshed: isComplete || updated.indexOf(name) % 2 === 1 });
  if (isComplete || hasMostKinds(name)) await destroys(stack);
});

test.each(moved)("the state %s moves to the native provider without changes", async (name) => {
  const stack = await prepare(name, `${name}-moved`);
  await stack.program.usePlugin();
  await restore(name, stack, world);
  await stack.program.file("index.js", toNative(await oldProgram(name)));
  await world.requests();

  const move = await succeeds(stack.up());
  expect(resourceSteps(move)).toEqual([]);
  expect(changedProperties(move)).toEqual([]);
  expect(world.writes()).toEqual([]);
  for (const { type } of (await stack.resources()).values()) expect(type).toMatch(/agentgraph$|^agentgraph:index:/);

  if (isComplete) await updates(stack, name, { adapt: toNative });
  if (isComplete || hasMostKinds(name)) await destroys(stack);
});

test.each(isComplete ? [false, true] : [true])(
  "the state of a failed check counts a second failure and refuses a third rollout, moved to the native provider: %s",
  async (isMoved) => {
    const stack = await prepare(FAILED, `${FAILED}-${isMoved}`);
    const adapt = isMoved ? toNative : (text: string) => text;
    if (isMoved) await stack.program.usePlugin();
    await restore(FAILED, stack, world);
    const program = await oldProgram(FAILED);
    await stack.program.file("index.js", adapt(changed(program)));

    await world.emulator.faults.add(BAD_REPLY);
    expect((await fails(stack.up())).output).toContain("new revision: imageUri 1.0.0 -> 2.0.0; then 1 check");
    await world.requests();
    expect((await fails(stack.up())).output).toContain("this content has failed its checks 2 times");
    expect(world.writes()).toEqual([]);
    await stack.program.file("index.js", adapt(changed(program).replaceAll("agent:2.0.0", "agent:2.0.1")));
    expect(await stack.up()).toMatchObject({ code: 0 });
    if (isComplete) await destroys(stack);
  },
);

/** Runs an up that changes nothing but what the program does, and finds no drift where it refreshes. */
async function updates(
  stack: CliStack,
  name: string,
  { adapt = (text: string) => text, isRefreshed = true } = {},
): Promise<void> {
  const program = await oldProgram(name);
  const changes = changesIn(program);
  if (changes.length === 0) throw new Error(`The program of ${name} has no comment that says what is changed in it.`);
  await stack.program.file("index.js", adapt(changed(program)));
  const update = await stack.up(...(isRefreshed ? ["--refresh"] : []));
  expect(drifted(update)).toEqual([]);
  expect(update).toMatchObject({ code: 0 });
  expect(changedProperties(update).sort()).toEqual(changes.map(({ path }) => path).sort());
  const resources = new Set(changes.flatMap((change) => change.resources));
  expect(resourceSteps(update)).toEqual([...resources].map((each) => `update ${each}`).sort());
}

/** What the comments of a program say is changed. */
const changesIn = (program: string) =>
  [...program.matchAll(/^\/\/ Changed: (.+?) to (.+): ([\w.]+) of ([\w, -]+)$/gm)].map(
    ([, from = "", to = "", path = "", resources = ""]) => ({ from, to, path, resources: resources.split(", ") }),
  );

const changed = (program: string) =>
  changesIn(program).reduce((text, { from, to }) => text.replaceAll(from, to), program);

async function destroys(stack: CliStack): Promise<void> {
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await allDeployments()).toEqual([]);
}

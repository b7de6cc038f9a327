/**
 * What earlier versions wrote into users' state goes on working: nothing to do at first, then refresh, update, destroy.
 * A new state is kept with a program in test/old-states/<version>-<what>/program.js and RECORD_OLD_STATE=<folder>.
 */
import { differing, steps } from "./support/events";
import { oldProgram, oldStates, record, restore } from "./support/old-state";
import type { Stack } from "./support/stack";
import { World } from "./support/world";

const world = new World({ strict: true, speed: "instant" });
const { RECORD_OLD_STATE: recorded } = process.env;

async function prepare(name: string): Promise<Stack> {
  const stack = await world.stack({ project: "old-states", backend: name });
  await stack.program.file("index.js", await oldProgram(name));
  return stack;
}

const tenants = ["11111111-1111-4111-8111-111111111111", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"];
const everywhere = async () =>
  (await Promise.all(tenants.map((tenant) => world.deployments({ "x-tenant-id": tenant })))).flat();

afterEach(() => world.emulator.reset());

if (recorded) {
  test(`${recorded} is recorded`, async () => {
    const stack = await prepare(recorded);
    expect(await stack.up()).toMatchObject({ code: 0 });
    const told = await Promise.all((await everywhere()).map(({ id }) => world.look(id)));
    await record(
      recorded,
      stack,
      world,
      told.filter((one) => one !== undefined),
    );
  });
}

test.each(oldStates)("the state %s needs nothing, and can be refreshed, updated and destroyed", async (name) => {
  const stack = await prepare(name);
  await restore(name, stack, world);
  await world.requests();

  const preview = await stack.preview("--expect-no-changes");
  expect(preview).toMatchObject({ code: 0 });
  expect(await world.requests()).toEqual([]);
  expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });

  await stack.program.file("index.js", (await oldProgram(name)).replaceAll("agent:1.0.0", "agent:2.0.0"));
  const update = await stack.up();
  expect(update).toMatchObject({ code: 0 });
  expect(differing(update)).toEqual(["sourceRevisionConfig.imageUri"]);
  expect(steps(update).sort()).toEqual([...(await stack.resources()).keys()].map((each) => `update ${each}`).sort());

  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await everywhere()).toEqual([]);
});

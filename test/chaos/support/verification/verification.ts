/** What must hold once all trouble has ended and the advice of messages was followed. */
import { API_KEY } from "../engine/run";
import { KINDS, kindOf } from "../kinds";
import { idsOf } from "../kinds/kind";
import { allSecrets } from "../program/program";
import { followAdvice } from "../recovery";
import { messageOf, type World } from "../world";
import { leftovers } from "./leftovers";

/** @throws Error that names what does not hold. */
export async function verify(world: World): Promise<void> {
  await leftovers.remove(world);
  for (const kind of KINDS) {
    const specs = world.declarations.specs.filter(({ slot }) => kindOf(slot) === kind);
    await kind.verify(world, specs);
  }
  await world.others.verify();
  await verifyNoChange(world);
  await verifyNoDrift(world);
  verifySecrecy(world);
}

/** Destroys everything. @throws Error that names what remains. */
export async function verifyDestroy(world: World): Promise<void> {
  const destroyed = idsOf(world);
  const { errors: refused } = await world.run("verify: destroy", { do: "destroy" });
  for (const [name, error] of refused) await followAdvice(world, world.declarations.slotOf(name), messageOf(error));
  const { errors } = refused.size === 0 ? { errors: refused } : await world.run("verify: destroy", { do: "destroy" });
  if (errors.size > 0) throw new Error(`destroy fails: ${[...errors.values()].map(messageOf).join("\n")}`);
  if (world.engine.state.size > 0) throw new Error(`state still contains ${[...world.engine.state.keys()]}`);
  await leftovers.verifyNone(world, destroyed);
  await world.others.verify();
  verifySecrecy(world);
}

async function verifyNoChange(world: World): Promise<void> {
  const before = world.server.emulator.requestLog.count();
  const { errors, done } = await world.run("verify: up", { do: "up" });
  const changed = [...done].filter(([, what]) => what !== "same");
  if (errors.size > 0 || changed.length > 0) throw new Error(`another up has changes: ${JSON.stringify(changed)}`);
  const sent = world.server.emulator.requestLog.count() - before;
  if (sent > 0) throw new Error(`another up without changes sends ${sent} requests`);
}

async function verifyNoDrift(world: World): Promise<void> {
  const { errors, done } = await world.run("verify: refresh", { do: "refresh" });
  const changed = [...done].filter(([, what]) => what !== "same");
  if (errors.size > 0 || changed.length > 0) throw new Error(`a refresh shows changes: ${JSON.stringify(changed)}`);
}

function verifySecrecy(world: World): void {
  const { bucket, requestLog } = world.server.emulator;
  const secrets = [...allSecrets, bucket.secretAccessKey, API_KEY];
  const texts = {
    shown: world.messages,
    "stored as plain text": world.plainTexts,
    "part of a request path": requestLog.entries().map(({ path, query }) => `${path} ${JSON.stringify(query)}`),
  };
  for (const [where, all] of Object.entries(texts)) {
    const leak = all.find((text) => secrets.some((secret) => text.includes(secret)));
    if (leak !== undefined) throw new Error(`a secret is ${where}: ${leak}`);
  }
}

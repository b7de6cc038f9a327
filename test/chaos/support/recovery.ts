/** What a person does after trouble: follows the advice of messages and of the documentation. */
import { CRON } from "../../../provider/resources/cron/fields";
import { THREAD } from "../../../provider/resources/thread/fields";
import { agentKinds } from "../../support/agents/kinds";
import type { Slot } from "./kinds";
import { identityOf, insideName, isInside } from "./program/names";
import { messageOf, type World } from "./world";

const MAX_ATTEMPTS = 6;

/**
 * Runs `pulumi up --refresh` and follows the advice of its errors until it succeeds.
 * @throws Error when it never does.
 */
export async function recover(world: World): Promise<void> {
  await world.calmDown();
  for (let attempt = 1; ; attempt++) {
    const refreshed = await world.run("recovery: refresh", { do: "refresh" });
    const updated = await world.run("recovery: up", { do: "up", continueOnError: true });
    const errors = [...refreshed.errors, ...updated.errors];
    if (errors.length === 0 && !updated.rows.some((row) => /The next `pulumi up` (applies|retries|runs)/.test(row)))
      return;
    if (attempt === MAX_ATTEMPTS) {
      const texts = errors.map(([name, error]) => `${name}: ${messageOf(error)}`);
      throw new Error(`the program does not recover:\n${texts.join("\n")}`);
    }
    for (const [name, error] of updated.errors) {
      const message = messageOf(error);
      // Pulumi deletes dependents first, so that the first of them shows why what it depends on cannot be replaced.
      const [, replaced = name] = /\w+ "([^"]+)" cannot be replaced/.exec(message) ?? [];
      await followAdvice(world, world.declarations.slotOf(replaced), message);
    }
    // Some advice says: later.
    await world.server.advance(10 * 60_000);
  }
}

export async function followAdvice(world: World, slot: Slot, message: string): Promise<void> {
  if (/ check \d of \d: .* failed\.|failed its checks/.test(message)) return improveAgent(world, slot, message);
  const [, crons] = /crons of it that this stack does not manage: (.*?)\. /.exec(message) ?? [];
  if (crons) return world.others.assistants.removeCrons(({ cron_id: id }) => crons.includes(String(id)));
  if (/import: .* differs from the program/.test(message)) {
    // The program is right: what it cannot adopt is removed manually.
    await world.others.act("deletes", entryOf(world, slot));
    world.declarations.imports.delete(slot);
    return;
  }
  if (/^import: (no|schedule|export)/m.test(message) || /remove the import option/i.test(message)) {
    world.declarations.imports.delete(slot);
    return;
  }
  if (message.includes("If you renamed or moved the resource")) {
    await keepEntry(world, slot, message);
    return;
  }
  const [, id] = /import: "([^"]+)"/.exec(message) ?? /is taken by deployment ([\w-]+)/.exec(message) ?? [];
  if (id === undefined) return;
  // What others have, they remove when they are asked.
  if (await world.others.release(id.split("/").slice(-1)[0] ?? "")) return;
  if (!world.others.deploymentIds.has(id)) world.declarations.imports.set(slot, id);
}

/** Deploys an image that gives right answers, or insists on one whose checks failed because of the faults. */
function improveAgent({ declarations }: World, slot: Slot, message: string): void {
  const spec = declarations.specs.find((one) => one.slot === slot);
  if (spec?.slot !== "api" && spec?.slot !== "worker") throw new Error(`${slot} has no checks: ${message}`);
  const isInsisted = !spec.isBad && message.includes("redeployTriggers");
  declarations.set({ ...spec, isBad: undefined, ...(isInsisted && { trigger: (spec.trigger ?? 0) + 1 }) });
}

/**
 * Keeps the entry of an earlier name. Where state no longer has it, imports the object: under the name that the message
 * shows, or once a person has emptied its ownership marker.
 */
async function keepEntry(world: World, slot: Slot, message: string): Promise<void> {
  const earlier = [...world.engine.state].some(
    ([name, entry]) => entry.slot === slot && name !== world.declarations.nameOf(slot).name,
  );
  const [, key] = /set its metadata key (\w+) to null/.exec(message) ?? [];
  if (!earlier && key) return unmark(world, slot, { key, id: /[\da-f-]{36}/.exec(message)?.[0] });
  const id = world.declarations.imports.get(slot) ?? /import: "([^"]+)"/.exec(message)?.[1];
  world.declarations.imports.delete(slot);
  if (earlier) world.declarations.addAliases(slot);
  else world.declarations.restoreName(slot, earlierName(message, world.declarations.nameOf(slot).name) ?? slot);
  if (!earlier && id) world.declarations.imports.set(slot, id);
}

/** Returns the earlier name that an option `aliases` in a message contains. @param now The name that it has now. */
function earlierName(message: string, now: string): string | undefined {
  const [, type = "", urnName] = /aliases: \["urn:pulumi:.*?::.*?::(.*?)::(.*?)"\]/.exec(message) ?? [];
  if (urnName) return type.includes("$") ? insideName(urnName) : urnName;
  const [, name, root] = /aliases: \[\{ (?:name: "(.*?)")?[, ]*(parent: pulumi.rootStackResource)?/.exec(message) ?? [];
  if (root) return name ?? identityOf(now).name;
  return name && isInside(now) ? insideName(name) : name;
}

/** The kinds with metadata of an ownership marker. */
const NAMES = [THREAD, CRON, ...agentKinds.map(({ names }) => names)];

/** Empties a metadata key of an object, as servers remove none; the next error says how to import the object. */
async function unmark(world: World, slot: Slot, { key, id }: { key: string; id: string | undefined }): Promise<void> {
  const { kind, url } = declaredOn(world, slot);
  const route = NAMES.find((names) => names.kind === kind)?.path;
  const path = `${new URL(url).pathname}/${route}/${id}`;
  world.addLog(`a person empties ${key} of ${path}`);
  await world.server.call("PATCH", path, { metadata: { [key]: null } });
}

/** The object that a program could not import, as though it were in state. */
function entryOf(world: World, slot: Slot) {
  const { kind, provider, url } = declaredOn(world, slot);
  const [id = ""] = String(world.declarations.imports.get(slot)).split("/").slice(-1);
  return { slot, kind, provider, references: {}, resource: { id, inputs: {}, outputs: { url }, failed: false } };
}

/** What the program declares in a slot, with the URL of its agent server. */
function declaredOn(world: World, slot: Slot) {
  const declared = world.program.find((one) => one.slot === slot);
  if (!declared) throw new Error(`${slot} is not declared`);
  const { deploymentId, deploymentUrl } = world.inputsOf(declared);
  return { ...declared, url: String(deploymentUrl ?? `${world.proxy.url}/agents/${deploymentId}`) };
}

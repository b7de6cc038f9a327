/** One object that two entries of state name, in separate provider processes of one run. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../../../emulator/test/support/folder";
import { ManagedObjects } from "../../../../provider/engine/run/managed-objects";
import { RunFolder } from "../../../../provider/engine/run/run-folder";
import { RunState } from "../../../../provider/engine/run/run-state";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { startAgents } from "../../../support/agents/threads";
import { failureOf } from "../../../support/errors";
import type { HostName } from "../../../support/hosts/resource-host";
import { type Stack, stateOf } from "../../../support/stack";

let base: string;
beforeEach(() => {
  base = newFolder();
});

/** Returns a function that starts another process of the same run. */
function startRun(folder = join(base, "own")) {
  let processes = 0;
  return () =>
    new RunState(new ManagedObjects(new RunFolder("127.0.0.1:1", folder, `${process.pid}-${++processes}`, "here")));
}

const image = (tag: string): PropertyMap => ({
  ...{ name: "agent", source: "external_docker", sourceRevisionConfig: { imageUri: `registry.example.com/a:${tag}` } },
});

const HOSTS: [HostName, HostName][] = [
  ["dynamic", "plugin"],
  ["plugin", "dynamic"],
];

/** Imports with either host: the engine of dynamic resources creates, the native one reads and compares. */
async function importInto(stack: Stack, inputs: PropertyMap, id: string, memory: RunState, host: HostName) {
  const running = stack.host({}, memory);
  if (host === "dynamic") return stack.up(inputs, running, { __import: id });
  await stack.import(id, running);
  return stack.up(inputs, running);
}

describe.each(HOSTS)("An entry of %s and an import by %s", (before, now) => {
  it("of one deployment end with the deployment, and a warning that names both", async () => {
    const agents = await startAgents();
    const old = agents.stack({ kind: "Deployment", name: "agent", host: before });
    const { id } = await old.stateAfter({ ...image("1"), name: "other" });
    const startProcess = startRun();
    const stack = agents.stack({ kind: "Deployment", name: "agent", host: now, stack: "moved" });
    await importInto(stack, { ...image("1"), name: "other" }, id, startProcess(), now);
    await old.destroy(old.host({}, startProcess()));
    expect((await agents.call("GET", `/v2/deployments/${id}`)).body).toMatchObject({ status: "READY" });
    expect(old.messages).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^warn: Deployment ${id} was not deleted, because (this run imported|the program still declares) it ` +
            `as ${escapePattern(stack.urn)}\\. The entry ${escapePattern(old.urn)} was removed from this ` +
            "stack's state only\\.",
        ),
      ),
    );
    expect(old.messages.at(-1)).toContain("use this option the next time:  aliases: [");
    await stack.destroy();
    expect((await agents.call("GET", `/v2/deployments/${id}`)).status).toBe(404);
  });
});

describe("In the same run", () => {
  it("a thread that another process resumed is not deleted", async () => {
    const agents = await startAgents();
    const inputs = agents.threadInputs();
    const native = agents.stack({ host: "plugin" });
    await native.up(inputs);
    await agents.advance(60_000);
    const startProcess = startRun();
    const dynamic = agents.stack({ host: "dynamic" });
    await dynamic.up(inputs, dynamic.host({}, startProcess()));
    expect(stateOf(dynamic).id).toBe(stateOf(native).id);
    await native.destroy(native.host({}, startProcess()));
    expect(await agents.threads()).toHaveLength(1);
    expect(native.messages.at(-1)).toContain("was not deleted, because this run resumed it as");
  });

  it("an object that a replacement gives up is deleted", async () => {
    const agents = await startAgents();
    const stack = agents.stack({ kind: "Deployment", name: "agent" });
    const { id } = await stack.stateAfter({ ...image("1"), name: "one" });
    const startProcess = startRun();
    startProcess().objects.note({ kind: "Deployment", id: "another", urn: "urn:of:another", how: "kept" });
    expect(await stack.up({ ...image("1"), name: "two" }, stack.host({}, startProcess()))).toBe("replace");
    expect((await agents.call("GET", `/v2/deployments/${id}`)).status).toBe(404);
  });
});

it("When the files of other processes cannot be read an object is not deleted, and the error says why", async () => {
  const agents = await startAgents();
  const stack = agents.stack({ kind: "Deployment", name: "agent" });
  await stack.up({ ...image("1"), name: "one" });
  const startProcess = startRun();
  startProcess().objects.note({ kind: "Deployment", id: "another", urn: "urn:of:another", how: "kept" });
  const memory = startProcess();
  memory.objects.note({ kind: "Deployment", id: "a third", urn: "urn:of:a-third", how: "kept" });
  writeFileSync(join(base, "own", "127.0.0.1_1@here", `${process.pid}-damaged`), "{\n");
  const { message } = await failureOf(stack.destroy(stack.host({}, memory)));
  expect(message).toContain("Could not determine whether another resource of this run manages ");
  expect(message).toContain("Nothing was deleted. Run the command again.");
  await stack.destroy();
});

describe("Without a folder that the processes share", () => {
  it.each(["dynamic", "plugin"] as const)("%s refuses to import, says why, and changes nothing", async (host) => {
    const agents = await startAgents();
    const owner = agents.stack({ kind: "Deployment", name: "agent" });
    await owner.up({ ...image("1"), name: "one" });
    // A file where the folder should be.
    writeFileSync(join(base, "file"), "");
    const stack = agents.stack({ kind: "Deployment", name: "agent", stack: "other", host });
    const memory = startRun(join(base, "file"))();
    const importing = importInto(stack, { ...image("1"), name: "one" }, stateOf(owner).id, memory, host);
    const { message } = await failureOf(importing);
    expect(message).toMatch(/was not taken, because the other provider processes of this run would not know \(.*\)/);
    expect(message).toMatch(/No changes were made\. Set TMPDIR \(on Windows, TEMP\) to a folder/);
  });

  it("a resource that was imported before changes nothing, although the program still names its import", async () => {
    const agents = await startAgents();
    const owner = agents.stack({ kind: "Deployment", name: "agent" });
    const inputs = { ...image("1"), name: "one" };
    await owner.up(inputs);
    const stack = agents.stack({ kind: "Deployment", name: "agent", stack: "other", host: "dynamic" });
    const imported = { __import: stateOf(owner).id };
    await stack.up(inputs, stack.host(), imported);
    writeFileSync(join(base, "file"), "");
    expect(await stack.up(inputs, stack.host({}, startRun(join(base, "file"))()), imported)).toBe("same");
  });

  it("a thread of an earlier run is not resumed, and new ones are created", async () => {
    const agents = await startAgents();
    const first = agents.stack();
    await first.up(agents.threadInputs());
    await agents.advance(60_000);
    writeFileSync(join(base, "file"), "");
    const startProcess = startRun(join(base, "file"));
    const again = first.fork();
    const resuming = again.up(agents.threadInputs(), again.host({}, startProcess()));
    await expect(resuming).rejects.toThrow("would not know");
    const other = agents.stack({ name: "other" });
    expect(await other.up(agents.threadInputs(), other.host({}, startProcess()))).toBe("create");
  });
});

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

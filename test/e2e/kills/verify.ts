/** What must hold once a program recovered from kills. */
import type { ObjectNames } from "../../../provider/objects/kind";
import { CRON } from "../../../provider/resources/cron/fields";
import { snakeCase } from "../../../provider/text/format";
import { agentKinds } from "../../support/agents/kinds";
import type { CliStack, StateResource } from "../support/cli/cli-stack";
import { type Declared, SECRETS } from "./program";
import type { RemoteThread, Server } from "./server";

export interface Recovered {
  stack: CliStack;
  server: Server;
  program: readonly Declared[];
  /** The resources in state. */
  resources: Map<string, StateResource>;
  /** All that runs of this stack printed. */
  output: string;
}

/** Checks every invariant. @returns The number of copies that killed runs left, which are deleted. @throws Error */
export async function verify(recovered: Recovered): Promise<number> {
  const { server, program, resources } = recovered;
  const [names, declared] = [[...resources.keys()], program.map(({ name }) => name)].map((list) => list.sort().join());
  if (names !== declared) throw new Error(`state contains ${names}, and the program declares ${declared}`);
  await verifyDeployments(recovered);
  const copies = await verifyThreads(recovered);
  for (const { names, changed } of agentKinds) await verifyObjects(recovered, names, Object.keys(changed));
  // Each of several crons would fire, so there is exactly one.
  await verifyObjects(recovered, CRON, ["schedule"]);
  await verifyExports(recovered);
  await server.assertForeignUntouched();
  await verifySecrets(recovered);
  return copies;
}

async function verifyDeployments({ server, program, resources }: Recovered): Promise<void> {
  const expected = program.filter(({ kind }) => kind === "Deployment");
  const remote = await server.deployments();
  const idsOf = (list: { name: string; id?: string }[]) =>
    list
      .map(({ name, id }) => `${name} ${id}`)
      .sort()
      .join();
  const inState = idsOf(expected.map(({ name }) => ({ name, id: resources.get(name)?.id ?? "" })));
  if (idsOf(remote) !== inState) throw new Error(`the deployments are ${idsOf(remote)}, and state contains ${inState}`);
  for (const { name, inputs } of expected) {
    const { latest_revision_id, active_revision_id, secrets, revisions } = (await server.deployment(
      String(resources.get(name)?.id),
    )) as RemoteDeployment;
    if (latest_revision_id !== active_revision_id) throw new Error(`the latest revision of ${name} is not live`);
    const verified = resources.get(name)?.outputs?.verifiedRevisionId;
    if (inputs.verify && verified !== active_revision_id)
      throw new Error(`the live revision of ${name} is not verified`);
    const { imageUri } = inputs.sourceRevisionConfig as { imageUri?: string };
    const image = revisions[0]?.source_revision_config.image_uri;
    if (imageUri !== undefined && image !== imageUri) throw new Error(`${name} runs ${image}, not ${imageUri}`);
    if (!secrets.some((secret) => secret.name === "TOKEN" && secret.value === SECRETS[0]))
      throw new Error(`${name} lacks its secret`);
  }
}

interface RemoteDeployment {
  latest_revision_id: string;
  active_revision_id: string;
  secrets: { name: string; value: string }[];
  revisions: { source_revision_config: { image_uri?: string } }[];
}

/** A copy that was killed before it received its marker is like those of the application, and is deleted manually. */
async function verifyThreads({ server, program, output, resources }: Recovered): Promise<number> {
  const remote = await server.threads();
  for (const { name, inputs } of program.filter(({ kind }) => kind === "Thread")) {
    const id = resources.get(name)?.id ?? "";
    const [key, thread] = [...remote].find(([, { thread_id }]) => thread_id === id) ?? [];
    if (key === undefined) throw new Error(`thread ${name} (${id}) does not exist`);
    const actual = thread?.metadata ?? {};
    const wrong = Object.entries(inputs.metadata as object).find(([field, value]) => actual[field] !== value);
    if (wrong) throw new Error(`metadata ${wrong[0]} of ${name} is ${actual[wrong[0]]}, not ${wrong[1]}`);
    remote.delete(key);
  }
  for (const [key, thread] of remote) {
    if (!isUnmarkedCopy(thread) && !output.includes(thread.thread_id))
      throw new Error(`no resource manages thread ${key}, and no message names it: ${JSON.stringify(thread.metadata)}`);
    await server.deleteThread(key);
  }
  return remote.size;
}

/** The marker of a copy names the copy itself. */
const isUnmarkedCopy = ({ thread_id: id, metadata }: RemoteThread) =>
  metadata.pulumi_thread !== id && metadata.pulumi_thread_id !== id;

/** @param inputs Those that are compared, whose values the server returns as they were sent. */
async function verifyObjects(
  { server, program, resources }: Recovered,
  { kind, noun, path }: Pick<ObjectNames, "kind" | "noun" | "path">,
  inputs: readonly string[],
): Promise<void> {
  const declared = program.filter((one) => one.kind === kind);
  const expected = declared.map((one) => [resources.get(one.name)?.id, ...inputs.map((key) => one.inputs[key])]);
  const remote = await server.objects(path);
  const actual = remote.map((one) => [one[`${noun}_id`], ...inputs.map((key) => one[snakeCase(key)])]);
  assertSame(path, actual, expected);
}

function assertSame(what: string, remote: readonly unknown[], expected: readonly unknown[]): void {
  const [actual, wanted] = [remote, expected].map((list) =>
    list
      .map((one) => JSON.stringify(one))
      .sort()
      .join(),
  );
  if (actual !== wanted) throw new Error(`the ${what} are ${actual}, and the program declares ${wanted}`);
}

async function verifyExports({ server, output, resources }: Recovered): Promise<void> {
  const managed = new Set([...resources.values()].map(({ id }) => id));
  for (const { id, display_name: name } of await server.exports("bulk-exports/destinations")) {
    const isKept =
      output.includes(`destination ${id} `) && output.includes("was not deleted because exports still use it");
    if (!managed.has(id) && !isKept) throw new Error(`no resource manages destination ${name} (${id})`);
    managed.delete(id);
  }
  for (const { id, status, source_bulk_export_id: schedule } of await server.exports("bulk-exports")) {
    const hasEnded = /complete|cancel|fail|timed/i.test(status);
    if (!managed.has(id) && !hasEnded && !schedule)
      throw new Error(`no resource manages export ${id}, which is ${status}`);
    managed.delete(id);
  }
  const missing = [...resources].filter(([, { id, type }]) => type.includes("BulkExport") && managed.has(id));
  if (missing.length > 0) throw new Error(`the server lacks ${missing.map(([name]) => name)}`);
}

/** Event logs are not searched: they show inputs in plain text (docs/security.md). */
async function verifySecrets({ stack, output }: Recovered): Promise<void> {
  for (const [what, text] of [
    ["the output", output],
    ["state", await stack.readBackend()],
  ] as const) {
    const shown = SECRETS.find((secret) => text.includes(secret));
    if (shown) throw new Error(`${what} shows ${shown}`);
  }
}

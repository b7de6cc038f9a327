// node move.ts <stage>: after agents got another group in fleet.yaml, moves them to the state of the new stack.
// The agents themselves do not notice: nothing is sent to the platform.
import "./runner/errors.ts";
import { execFileSync } from "node:child_process";
import { agentsOf, readFleet, wavesOf } from "./fleet.ts";
import { Stacks } from "./runner/stacks.ts";

const [stage = ""] = process.argv.slice(2);
const fleet = readFleet();
const declared = wavesOf(fleet, stage).flat();
const stackOf = new Map(declared.flatMap((stack) => agentsOf(fleet, stack).map(({ name }) => [name, stack] as const)));

const stacks = await Stacks.list();
for (const source of [...stacks.existing.keys()].filter((name) => name.startsWith(`${stage}-`))) {
  const { deployment } = await (await stacks.open(source)).exportStack();
  for (const { urn, type } of deployment.resources ?? []) {
    const name = urn.split("::").at(-1);
    const destination = stackOf.get(name);
    if (!type.endsWith(":Deployment") || !destination || destination === source) continue;
    await stacks.open(destination);
    execFileSync("pulumi", ["state", "move", "--yes", "--source", source, "--dest", destination, urn]);
    console.log(`${name}: moved from ${source} to ${destination}`);
  }
}

// The fleet of fleet.yaml: its stacks, and the agents of each.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RunError } from "@pulumi/pulumi";
import { type Fleet, fleetSchema } from "./schema.ts";
import { parseYaml } from "./yaml.ts";

export type { Fleet };

/** @param text The text of fleet.yaml. @throws RunError that names the line of each problem. */
export const parseFleet = (text: string): Fleet => parseYaml(text, "fleet.yaml", fleetSchema);

export const readFleet = (): Fleet => parseFleet(readFileSync(join(import.meta.dirname, "fleet.yaml"), "utf8"));

/** Returns the stacks of a stage by wave, the first wave first. @param only The stacks to return (default: all). */
export function wavesOf({ stages, groups }: Fleet, stage: string, only?: readonly string[]): string[][] {
  if (!(stage in stages))
    throw new RunError(`Unknown stage "${stage}". fleet.yaml has: ${Object.keys(stages).join(", ")}`);
  const waves = [...new Set(Object.values(groups).map(({ wave }) => wave))].sort((a, b) => a - b);
  const groupsOf = (wave: number) => Object.keys(groups).filter((group) => groups[group]?.wave === wave);
  const all = waves.map((wave) => groupsOf(wave).map((group) => `${stage}-${group}`));
  const unknown = only?.find((stack) => !all.flat().includes(stack));
  if (unknown) throw new RunError(`Unknown stack "${unknown}". fleet.yaml has: ${all.flat().join(", ")}`);
  return all.map((wave) => wave.filter((stack) => only?.includes(stack) ?? true));
}

export type Agent = ReturnType<typeof agentsOf>[number];

/** Returns the agents of a stack. Their own settings win over those of the stage. */
export function agentsOf({ agents, images, stages, teams }: Fleet, stack: string) {
  const [stage = "", ...group] = stack.split("-");
  const members = Object.entries(agents).filter(([, agent]) => agent.group === group.join("-"));
  return members.map(([name, { group: _, team, stages: differences, ...own }]) => {
    const { image, ...resourceSpec } = { ...stages[stage], ...own, ...differences[stage] };
    return { name, imageUri: images[image] ?? "", secretName: teams[team]?.secret ?? "", resourceSpec };
  });
}

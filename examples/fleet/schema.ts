// The format of fleet.yaml.
import { z } from "zod";

const name = z.string().regex(/^[a-z][a-z0-9-]*$/, "must consist of lowercase letters, digits and hyphens");
const stage = z.string().regex(/^[a-z]+$/, "must consist of lowercase letters");
const image = z.string();
const scale = { minScale: z.int().min(0), maxScale: z.int().min(1), cpu: z.number(), memoryMb: z.int() };
const settings = z.strictObject({ image, ...scale }).partial();
/** What differs in a stage. */
const stages = z.record(stage, settings);
const agent = settings.extend({ group: z.string(), team: z.string(), image, stages: stages.default({}) });

const data = z.strictObject({
  images: z.record(name, z.string()),
  stages,
  teams: z.record(name, z.strictObject({ secret: z.string() })),
  groups: z.record(name, z.strictObject({ wave: z.int().min(0) })),
  agents: z.record(name, agent),
});
export type Fleet = z.infer<typeof data>;

export const fleetSchema = data.superRefine((fleet, { addIssue }) => {
  const check = (list: "images" | "stages" | "teams" | "groups", value: string | undefined, path: string[]) => {
    if (value === undefined || Object.hasOwn(fleet[list], value)) return;
    const message = `"${value}" is not one of the ${list}: ${Object.keys(fleet[list]).join(", ")}`;
    addIssue({ code: "custom", path, message });
  };
  for (const [stage, { image }] of Object.entries(fleet.stages)) check("images", image, ["stages", stage, "image"]);
  for (const [name, { group, team, image, stages }] of Object.entries(fleet.agents)) {
    check("groups", group, ["agents", name, "group"]);
    check("teams", team, ["agents", name, "team"]);
    check("images", image, ["agents", name, "image"]);
    for (const [stage, { image }] of Object.entries(stages)) {
      check("stages", stage, ["agents", name, "stages", stage]);
      check("images", image, ["agents", name, "stages", stage, "image"]);
    }
  }
});

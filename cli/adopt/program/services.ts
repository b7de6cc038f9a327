/**
 * Finds the objects that one AgentService declares: a deployment with its assistants, their crons, a thread and an
 * export.
 */
import type { Adopted } from "../types";

/** Where an object is among the arguments of its service, and which name the service gives it. */
interface Place {
  member: Adopted;
  path: readonly string[];
  name: string;
}

/**
 * Returns all objects: those that belong to a service with their place in it and the name that it gives them. A
 * deployment to which nothing belongs needs no service, and what does not fit into one is unchanged.
 */
export function groupIntoServices(all: readonly Adopted[]): Adopted[] {
  const taken = new Set<string>();
  const isPossible = ({ member, name }: Place): boolean => {
    const key = `${member.kind} ${name.toLowerCase()}`;
    if (taken.has(key) || member.name === NO_KEY) return false;
    taken.add(key);
    return true;
  };
  const byMember = new Map<Adopted, Adopted>();
  for (const deployment of all.filter(({ kind }) => kind === "deployments")) {
    const parts = partsOf(deployment, all, isPossible);
    if (parts.length === 0) continue;
    const { name, variable } = deployment;
    const places = [{ member: deployment, path: ["deployment"], name }, ...parts];
    for (const { member, path, name: own } of places)
      byMember.set(member, { ...member, name: own, service: { name, variable, path } });
  }
  return all.map((one) => byMember.get(one) ?? one);
}

/** A component takes no key of this name. */
const NO_KEY = "__proto__";

function partsOf(
  { id, name, outputs }: Adopted,
  all: readonly Adopted[],
  isPossible: (place: Place) => boolean,
): Place[] {
  const inside = (kind: string) => all.filter((one) => one.kind === kind && one.inputs.deploymentId === id);
  const assistants = inside("assistants")
    .map((member) => ({ member, path: ["assistants", member.name], name: `${name}-${member.name}` }))
    .filter(isPossible);
  const crons = inside("crons")
    .filter(({ inputs }) => inputs.threadId === undefined && hasTarget(inputs, assistants))
    .map((member) => ({ member, path: ["crons", member.name], name: `${name}-${member.name}-cron` }))
    .filter(isPossible);
  const project = outputs.tracingProjectId;
  const schedules = all.filter(({ kind, inputs }) => kind === "schedules" && inputs.sessionId === project);
  return [
    ...assistants,
    ...crons,
    ...onlyOne(inside("threads"))
      .filter(({ id }) => referrersTo(id, all).length === 0)
      .map((member) => ({ member, path: ["thread"], name: `${name}-thread` })),
    ...(project === undefined ? [] : onlyOne(schedules))
      .filter(({ inputs }) => inputs.intervalHours === 24)
      .flatMap((member) => exportPlaces(member, name, all)),
  ];
}

const onlyOne = (all: readonly Adopted[]) => (all.length === 1 ? all : []);

/** Whether a cron runs an assistant of the service, or that of a graph, which has a name in place of an ID. */
const hasTarget = ({ assistantId }: Adopted["inputs"], assistants: readonly Place[]): boolean =>
  assistants.some(({ member }) => member.id === assistantId) ||
  !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(assistantId));

/** The export, and its destination unless others use it, too. */
function exportPlaces(member: Adopted, service: string, all: readonly Adopted[]): Place[] {
  const id = member.inputs.bulkExportDestinationId;
  const destinations = all.filter((one) => one.kind === "destinations" && one.id === id);
  return [
    { member, path: ["nightlyExport"], name: `${service}-export` },
    ...(referrersTo(id, all).length === 1 ? destinations : []).map((destination) => ({
      ...{ member: destination, path: ["nightlyExport", "destination"], name: `${service}-destination` },
    })),
  ];
}

const referrersTo = (id: unknown, all: readonly Adopted[]) =>
  all.filter((one) => one.id !== id && Object.values(one.inputs).includes(id));

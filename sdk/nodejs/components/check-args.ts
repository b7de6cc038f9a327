/**
 * Checks the arguments of an AgentService. No provider does it, as check does for the inputs of its resources: of a
 * component, the engine only passes the arguments, and some languages send keys that no type has.
 */
import { SERVICE_ARGUMENTS, type ServiceArgument, type ServicePart } from "../../../provider/components/agent-service";
import { closestMatch } from "../../../provider/text/did-you-mean";
import { resources } from "../resources";
import { isPlainObject } from "../shared/json-values";

type PropertyMap = Readonly<Record<string, unknown>>;

/** Returns everything that is wrong with the arguments of a service. */
export function problemsOf(args: unknown): string[] {
  if (!isObject(args)) return [`The arguments ${NOT_AN_OBJECT}`];
  const table: Readonly<Record<string, ServiceArgument>> = SERVICE_ARGUMENTS;
  const known = Object.entries(table).flatMap(([key, argument]) => argumentProblems(key, argument, args));
  const problems = [...unknownKeys(args, Object.keys(table)), ...known];
  return problems.length > 0 ? problems : referenceProblems(args);
}

const NOT_AN_OBJECT = "must be an object whose keys are known. Its values may be outputs, but it cannot be one.";

function argumentProblems(key: string, { part, isMap, isRequired }: ServiceArgument, args: PropertyMap): string[] {
  const value = args[key];
  if (value == null) return isRequired ? [`${key} is required.`] : [];
  if (!isMap) return partProblems(key, part, value);
  if (!isObject(value)) return [`${key} ${NOT_AN_OBJECT}`];
  return Object.entries(value).flatMap(([name, entry]) => [
    ...(isName(name) ? [] : [`${key}: ${JSON.stringify(name)} cannot be part of a name. Use another key.`]),
    ...partProblems(`${key}.${name}`, part, entry),
  ]);
}

/** Pulumi drops keys of this name. */
const isName = (key: string) => key !== "" && key !== "__proto__" && key.isWellFormed();

function partProblems(path: string, { kind, sets, own = {} }: ServicePart, value: unknown): string[] {
  if (!isObject(value)) return [`${path} ${NOT_AN_OBJECT}`];
  const inputs = resources[kind as keyof typeof resources].inputs.filter((key) => !sets.includes(key));
  const set = sets.filter((key) => value[key] != null).map((key) => `${path}.${key} is set by the service. Remove it.`);
  const inner = Object.entries(own).flatMap(([key, { part }]) => {
    const given = value[key];
    if (given == null) return [];
    if (part) return partProblems(`${path}.${key}`, part, given);
    return typeof given === "string" ? [] : [`${path}.${key} must be a text that is known. It cannot be an output.`];
  });
  const keys = Object.fromEntries(Object.entries(value).filter(([key]) => !sets.includes(key)));
  return [...unknownKeys(keys, [...Object.keys(own), ...inputs], `${path}.`), ...set, ...inner];
}

function unknownKeys(value: PropertyMap, known: readonly string[], path = ""): string[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const suggestion = closestMatch(key, known);
      const hint = suggestion ? `did you mean "${suggestion}"?` : `expected one of ${known.join(", ")}.`;
      return `${path}${key} is not a known field; ${hint}`;
    });
}

/** What refers to another part of the service. */
function referenceProblems({ assistants, crons, nightlyExport }: PropertyMap): string[] {
  const keys = Object.keys((assistants ?? {}) as object);
  const ofCrons = Object.entries((crons ?? {}) as Record<string, PropertyMap>).flatMap(([name, cron]) => {
    const path = `crons.${name}`;
    const { assistant } = cron;
    if (typeof assistant !== "string" || cron.assistantId != null)
      return oneOf(path, cron, ["assistant", "assistantId"]);
    if (keys.includes(assistant)) return [];
    const suggestion = closestMatch(assistant, keys);
    const others =
      keys.length > 0 ? `It has ${keys.join(", ")}.` : "It has none; for the name of a graph, use assistantId.";
    const hint = suggestion ? `Did you mean "${suggestion}"?` : others;
    return [`${path}.assistant: the service has no assistant "${assistant}". ${hint}`];
  });
  const ofExport = isObject(nightlyExport)
    ? oneOf("nightlyExport", nightlyExport, ["destination", "bulkExportDestinationId"])
    : [];
  return [...ofCrons, ...ofExport];
}

function oneOf(path: string, value: PropertyMap, [first, second]: readonly [string, string]): string[] {
  const given = [first, second].filter((key) => value[key] != null);
  if (given.length === 1) return [];
  return [`${path}: specify ${first} or ${second}${given.length === 0 ? "" : ", and only one of them"}.`];
}

const isObject = (value: unknown): value is PropertyMap => isPlainObject(value) && !Array.isArray(value);

/** Every function, with every field of every response replaced by values that no API returns. */
import type { FunctionDefinition } from "../../../provider/functions/definition";
import { functions } from "../../../provider/functions/functions";
import type { PropertyMap } from "../../../provider/schema/schema";
import { UserError } from "../../../provider/text/user-error";
import { INTERNAL_ERROR, MAX_MESSAGE } from "../../support/hostile/errors";
import { isNamedIn } from "../../support/hostile/fields";
import { type FuzzedOperation, fuzzFields, fuzzResponses } from "../../support/hostile/fuzz";
import { type Exchange, record } from "../../support/hostile/recording";
import { startWorld, type World } from "../../support/hostile/world";
import { TestClock } from "../../support/time/clock";
import { program } from "./program";

/** Runs per field of a response; FUZZ_RUNS multiplies them. */
const RUNS = 0.5;
/** Runs per response with another status or other headers. */
const RESPONSE_RUNS = 3;

/** Values that once led to an internal error, by call and field. */
const REGRESSIONS: Record<string, Record<string, string[]>> = {
  "getBulkExportDestination by displayName": { "1.display_name": ["1e999"] },
};

interface Call {
  name: string;
  args: PropertyMap;
}

/** Each function with each of the arguments of which one is required. */
const variants = functions.flatMap((definition) =>
  combinations(definition.exactlyOne ?? []).map((chosen) => [definition, chosen] as const),
);
const recordings = new Map<string, Exchange[]>();
let world: World;

beforeAll(async () => {
  world = await startWorld();
  for (const [definition, chosen] of variants) {
    const key = describeVariant(definition, chosen);
    recordings.set(key, await record(world.url, (url) => callOften(url, callOf(url, definition, chosen))));
  }
});

describe.each(
  variants.map(([definition, chosen]) => [describeVariant(definition, chosen), definition, chosen] as const),
)("%s returns a result, or a UserError that names the field", (name, definition, chosen) => {
  const operation = (runs: number): FuzzedOperation => ({
    ...{ name, runs, checkError, exchanges: recordings.get(name) ?? [], examples: REGRESSIONS[name] ?? {} },
    act: (url) => callOften(url, callOf(url, definition, chosen)),
  });

  it("with any value in any field", () => fuzzFields(operation(RUNS)), 600_000);

  it("with any status and headers", () => fuzzResponses(operation(RESPONSE_RUNS)), 600_000);
});

function describeVariant({ name }: FunctionDefinition, chosen: readonly string[]): string {
  return chosen.length === 0 ? name : `${name} by ${chosen.join(" and ")}`;
}

const checkError: FuzzedOperation["checkError"] = (error, field) => {
  const { message, stack } = error as Error;
  const [, problem] = /: unexpected response: (.*)/s.exec(message) ?? [];
  const isNamed = problem === undefined || isNamedIn(problem, field);
  if (isNamed && error instanceof UserError && !INTERNAL_ERROR.test(message) && message.length < MAX_MESSAGE) return;
  throw new Error(`${error}: ${message.slice(0, 1000)}\n${stack}`);
};

/** Calls a function three times at once: many calls share a request. */
async function callOften(url: string, { name, args }: Call): Promise<unknown> {
  const call = program({ url, clock: new TestClock() });
  return Promise.all([1, 2, 3].map(() => call(name as never, args)));
}

/** Returns the ways to choose one of each group. */
function combinations([group, ...rest]: readonly (readonly string[])[]): string[][] {
  return group ? group.flatMap((key) => combinations(rest).map((others) => [key, ...others])) : [[]];
}

/** Returns a call with all required arguments and one of those of which exactly one is. */
function callOf(url: string, { name, args, exactlyOne = [] }: FunctionDefinition, chosen: readonly string[]): Call {
  const all = argumentsFor(url);
  const required = Object.entries(args.shape).filter(
    ([key, schema]) =>
      chosen.includes(key) || key === "withSecrets" || !(exactlyOne.flat().includes(key) || schema.isOptional()),
  );
  const values = required.map(([key]) => {
    const known = [`${name}.${key}`, key].find((one) => Object.hasOwn(all, one));
    if (known === undefined) throw new Error(`Add an argument for ${name}.${key} to this test.`);
    return [key, all[known]];
  });
  return { name, args: Object.fromEntries(values) };
}

function argumentsFor(url: string): PropertyMap {
  const { ids, destinationId, agentPath } = world;
  return {
    ...ids,
    deploymentUrl: url + agentPath,
    withSecrets: true,
    name: "agent",
    integrationId: "33333333-3333-4333-8333-333333333333",
    type: "deploy",
    "getAssistant.name": "support",
    graphId: "echo",
    "getDeployment.id": ids.deploymentId,
    "getIntegration.name": "local",
    "getListener.id": "22222222-2222-4222-8222-222222222222",
    computeId: "local-cluster",
    "getPushToken.deploymentId": ids.dockerDeploymentId,
    "getUploadUrl.deploymentId": ids.sourceDeploymentId,
    "getBulkExportDestination.id": destinationId,
    displayName: "traces",
    "getBulkExport.id": ids.exportId,
    bulkExportId: ids.exportId,
    sourceBulkExportId: ids.scheduleId,
  };
}

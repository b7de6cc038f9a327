/** `adopt`, `doctor`, `init` and `types` with every field of every response replaced by values that no API returns. */
import { discoverResources } from "../../../cli/adopt/adopt-resource";
import { toFilter } from "../../../cli/adopt/options";
import { declareAll } from "../../../cli/adopt/program/declarations";
import { languages } from "../../../cli/adopt/program/languages";
import { formatReadme } from "../../../cli/adopt/readme";
import { checkServers } from "../../../cli/doctor/service";
import { connect } from "../../../cli/init/connect";
import { toText } from "../../../cli/init/report";
import { readInitSettings } from "../../../cli/init/settings";
import { valuesToWrite } from "../../../cli/init/values";
import type { CommandContext } from "../../../cli/shared/subcommand";
import { readSchemas } from "../../../cli/types/fetch";
import { typesOf } from "../../../cli/types/graph-types";
import { toPython } from "../../../cli/types/python";
import { toTypeScript } from "../../../cli/types/typescript";
import { readSettings } from "../../../provider/settings/settings";
import { UserError } from "../../../provider/text/user-error";
import { tracingSettings } from "../../support/exports/tracing";
import { INTERNAL_ERROR, MAX_MESSAGE } from "../../support/hostile/errors";
import { fuzzFields } from "../../support/hostile/fuzz";
import { type Exchange, record } from "../../support/hostile/recording";
import { startWorld } from "../../support/hostile/world";

/** Runs per field of a response; FUZZ_RUNS multiplies them. */
const RUNS = 0.2;
const LANGUAGES = Object.values(languages);
const FILTER = toFilter({ deployment: ["agent"], includeEnded: true, includeOwned: true });
const LOCATION = { folder: "/program", from: "/" };

let programs = 0;
const configOf = (url: string): Record<string, string> => ({
  "agentgraph:controlPlaneUrl": url,
  "agentgraph:apiKey": `hostile-${programs++}`,
  "agentgraph:requestsPerSecond": "1000",
  ...Object.fromEntries(Object.entries(tracingSettings({ url })).map(([key, value]) => [`agentgraph:${key}`, value])),
});

const COMMANDS: Record<string, (url: string) => Promise<unknown>> = {
  async adopt(url) {
    const config = configOf(url);
    const language = LANGUAGES[programs % LANGUAGES.length] as (typeof LANGUAGES)[number];
    const { all, names, ...rest } = await discoverResources(FILTER, undefined, config, language);
    const program = declareAll(all, names);
    language.sources(program, LOCATION);
    language.importFile(all);
    formatReadme({ all, secrets: program.secrets, language, ...rest });
  },
  async doctor(url) {
    const config = configOf(url);
    const groups = await checkServers(
      readSettings((key) => config[key], {}),
      { now: Date.now } as CommandContext,
    );
    for (const { message } of groups.flatMap(({ checks }) => checks)) {
      if (INTERNAL_ERROR.test(message) || message.length > MAX_MESSAGE) throw new Error(message.slice(0, 1000));
    }
  },
  async init(url) {
    const { "agentgraph:tenantId": _, ...config } = configOf(url);
    const found = await connect(readInitSettings(config, {}, {}), undefined, Date.now);
    const values = valuesToWrite(found, { config, encrypted: new Set() }, {});
    const text = toText({ found, values, keepsKey: true, stack: undefined });
    if (INTERNAL_ERROR.test(text) || text.length > MAX_MESSAGE) throw new Error(text.slice(0, 1000));
  },
  async types(url) {
    const env = { AGENTGRAPH_CONTROL_PLANE_URL: url, AGENTGRAPH_API_KEY: `hostile-${programs++}` };
    const process = { folder: "/", env, secrets: new Set<string>(), stderr: { write: () => true } };
    const types = typesOf(await readSchemas("agent", {}, process as unknown as CommandContext));
    for (const write of [toTypeScript, toPython]) expect(write([], types)).not.toContain("[object Object]");
  },
};

const recordings = new Map<string, Exchange[]>();
beforeAll(async () => {
  const { url } = await startWorld();
  for (const [name, run] of Object.entries(COMMANDS)) recordings.set(name, await record(url, run));
});

it.each(Object.keys(COMMANDS))(
  "%s succeeds or fails with an error for users",
  async (name) => {
    const act = COMMANDS[name] as (url: string) => Promise<unknown>;
    await fuzzFields({ name, exchanges: recordings.get(name) ?? [], act, checkError, runs: RUNS });
  },
  600_000,
);

function checkError(error: unknown): void {
  if (error instanceof UserError && !INTERNAL_ERROR.test(error.message) && error.message.length < MAX_MESSAGE) return;
  throw new Error(`${(error as Error).message.slice(0, 1000)}\n${(error as Error).stack}`);
}

/** Runs the acceptance suite as a user does, against the emulator or against a platform that differs from it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { REASONS } from "../../../acceptance/statements/reasons";
import { runEnvironment } from "../../support/run/environment";
import { ROOT } from "../support/packages/checkout";
import { pluginFolder } from "../support/packages/plugin";
import { OtherPlatform } from "./other-platform";

export const API_KEY = "the-key-of-another-platform";

interface Report {
  stories: { story: string; host: string; outcome: string; why?: string; skips: { what: string }[] }[];
  facts: { id: string; seen: string; certainty: string }[];
}

/** The folder of a test file, with the other platform. */
export class AcceptanceRuns {
  readonly platform = new OtherPlatform(API_KEY);
  private folder = "";

  constructor() {
    jest.setTimeout(600_000);
    beforeAll(async () => {
      this.folder = await mkdtemp(join(tmpdir(), "agentgraph-acceptance-test-"));
      await this.platform.start();
      await pluginFolder();
    });
    afterAll(async () => {
      await this.platform.stop();
      await rm(this.folder, { recursive: true, force: true });
    });
  }

  /** The variables that name the other platform. */
  get settings(): Record<string, string> {
    return { AGENTGRAPH_CONTROL_PLANE_URL: this.platform.url, AGENTGRAPH_API_KEY: API_KEY };
  }

  start(args: readonly string[], env: Record<string, string> = {}) {
    const main = join(ROOT, "acceptance/main.ts");
    const command = [main, ...args];
    const options = { cwd: this.folder, env: { ...runEnvironment(), HOME: this.folder, ...env } };
    const child = spawn(process.execPath, command, options);
    const output = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { child, ended: output.then(([stdout, stderr]) => ({ code: child.exitCode, output: stdout + stderr })) };
  }

  async run(name: string, args: readonly string[], env?: Record<string, string>) {
    const file = join(this.folder, `${name}.json`);
    const { code, output } = await this.start([...args, "--json", file], env).ended;
    const report: Report = JSON.parse(await readFile(file, "utf8").catch(() => "{}"));
    return { code, output, report };
  }
}

export const failed = ({ stories = [] }: Report) => stories.filter(({ outcome }) => outcome === "failed");
const idsOf = ({ facts = [] }: Report, state: string, isReported: boolean) =>
  facts
    .filter(({ seen, certainty }) => seen === state && (certainty === "reported") === isReported)
    .map(({ id }) => id);
/** The facts that do not hold or were not seen, without or with those that clients and pages of the platform report. */
export const differing = (report: Report) => idsOf(report, "differs", false);
export const unseen = (report: Report) => idsOf(report, "not seen", false).sort();
export const reported = (report: Report) => ({
  differing: idsOf(report, "differs", true),
  unseen: idsOf(report, "not seen", true).sort(),
});

/** Agent servers of the emulator are open. */
export const NOT_TODAY = ["5.item 3:hosted"];
/** The reasons of facts that no run can see, of reported ones or of others. */
export const reasons = ({ facts = [] }: Report, isReported: boolean) =>
  Object.keys(REASONS).filter((id) =>
    facts.some((fact) => fact.id === id && (fact.certainty === "reported") === isReported),
  );

/** What a run on the emulator cannot see: it returns the values of secrets, and knows all inputs of an export. */
export const UNSEEN = ["10A.masked", "10C.ignored-fields"];

/** The assumptions that do not hold on an emulator that has only the described routes. */
export const INTERFACE_ONLY = [
  ...["2B.Superstep:failure", "10B.client-ids", "10B.search-ids", "10B.search-offset"],
  ...["10A.no-removal", "10A.constraints", "10C.schedule-rest"],
];

/**
 * One program on the emulator, on a published agent server, and on one that a deployment of the emulator runs as its
 * agent.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../emulator/src/index";
import { realClock } from "../../../provider/http/clock";
import { MESSAGES } from "../../support/agent-servers/differences";
import { PROGRAMS, type Reported, runProgram } from "../../support/agent-servers/program";
import { dockerDeployment } from "../../support/deployments/inputs";
import { type PublishedServer, SERVERS, startPublished } from "../../support/servers/published";
import { Stack, stateOf } from "../../support/stack";

const RECORD = [join(__dirname, "../../../scripts/run.mjs"), "record"];
const used = new Set<unknown>();

describe.each(SERVERS)("A program on the agent server in %s", (kind) => {
  const folder = mkdtempSync(join(tmpdir(), "agentgraph-served-"));
  const emulators: Emulator[] = [];
  let published: PublishedServer;
  /** The URL of the agent server, by place. */
  const urls: Record<string, string> = {};
  const deployments: Stack[] = [];

  const deploy = async (options: EmulatorOptions) => {
    const emulator = await startEmulator({ agentServer: kind, speed: "instant", ...options });
    emulators.push(emulator);
    const stack = new Stack({ clock: realClock, url: emulator.urls.controlPlane });
    expect(await stack.up(dockerDeployment())).toBe("create");
    deployments.push(stack);
    return String(stateOf(stack).outputs.url);
  };

  beforeAll(async () => {
    published = await startPublished(kind);
    urls["published server"] = published.url;
    urls.emulator = await deploy({});
    const version = process.env.AGENT_SERVERS === "newest" ? ["--version", "newest"] : [];
    const output = execFileSync(process.execPath, [...RECORD, "--server", kind, "--folder", folder, ...version]);
    const entry = JSON.parse(String(output).trim().split("\n").at(-1) ?? "");
    const agents = join(folder, "agents.yaml");
    writeFileSync(agents, JSON.stringify({ agents: [{ ...entry, inherit: ["PATH", "HOME"] }] }));
    urls.agent = await deploy({ agents });
  }, 600_000);

  afterAll(async () => {
    for (const stack of deployments) await stack.destroy();
    for (const emulator of emulators) await emulator.stop();
    await published.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }, 120_000);

  describe.each(["dynamic", "plugin"] as const)("by the host %s", (host) => {
    it.each(PROGRAMS)(
      "ends with the same messages in all places: $kind",
      async (program) => {
        const run = (place: string) => runProgram(program, { url: urls[place] ?? "", host });
        const expected = await run("published server");
        expect(await run("agent")).toEqual(expected);
        expect((await run("emulator")).filter(isUnexplained(expected))).toEqual([]);
      },
      300_000,
    );
  });

  /** Returns whether a step differs without a reason. */
  const isUnexplained = (expected: readonly Reported[]) => (reported: Reported, index: number) => {
    if (JSON.stringify(reported) === JSON.stringify(expected[index])) return false;
    const reason = MESSAGES.find(
      ({ server = kind, steps }) => server === kind && steps.includes(`${reported.kind}: ${reported.step}`),
    );
    used.add(reason);
    return reason === undefined;
  };
});

test("The messages of the emulator differ wherever the table says so", () => {
  expect(MESSAGES.filter((reason) => !used.has(reason))).toEqual([]);
});

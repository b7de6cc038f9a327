/** `npm run bench -- --scale`: five steps with 1, 10 and 100 deployments, compared with the baseline of the engine and with Terraform. */
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { ensureBundle } from "../../plugin/bundle.mjs";
import { step } from "../../setup/step.mjs";
import { median } from "../engine.mjs";
import { writeFloor, writeNative } from "../programs.mjs";
import { findTerraform, terraformIn } from "./terraform.mjs";

const SIZES = [1, 10, 100];
const DELAYS = [0, 150];
/** No round is started after this time. A round is every step of every subject once. */
const BUDGET_MS = 9.5 * 60_000;
const ROUNDS = 5;
/** Default parallelism of the engine. */
const PARALLEL = 4 * availableParallelism();
const PAGE = 100;

const COMMANDS = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  "no-op up": ["up", "--yes", "--skip-preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

/**
 * Number of sequential requests, each with a delay. A resource needs its own request and one poll, PARALLEL resources run
 * at once, and pages of a list are read in sequence.
 */
const CHAINS = {
  up: (deployments) => 1 + 2 * Math.ceil(deployments / PARALLEL),
  preview: () => 0,
  "no-op up": () => 0,
  refresh: pages,
  destroy: (deployments) => pages(deployments) + 2 * Math.ceil(deployments / PARALLEL),
};

/** Returns the number of pages: after a full page, another one may follow. */
function pages(deployments) {
  return Math.floor(deployments / PAGE) + 1;
}

/** Runs the benchmark and prints the tables. */
export async function scale(sandbox, isQuick = false) {
  const terraform = await findTerraform(sandbox.env);
  const begin = Date.now();
  const [sizes, delays] = isQuick ? [[100], [0]] : [SIZES, DELAYS];
  const subjects = await prepare(sandbox, terraform, sizes, delays);
  let rounds = 0;
  for (let longest = 0; rounds < ROUNDS && Date.now() - begin + longest < BUDGET_MS; rounds++) {
    const start = Date.now();
    await step("Scale", `round ${rounds + 1}`, (now) => measureAll(subjects, sizes, delays, now));
    longest = Math.max(longest, Date.now() - start);
  }
  print(subjects, sizes, delays, terraform, rounds);
}

async function prepare(sandbox, terraform, sizes, delays) {
  const floorProgram = await writeFloor(join(sandbox.folder, "floor"));
  const nativeProgram = await writeNative(join(sandbox.folder, "native"), await ensureBundle());
  const subjects = [];
  for (const delay of delays) {
    // One each, since all create deployments of the same names.
    const emulator = await slowEmulator(sandbox, delay);
    const nativeEmulator = await slowEmulator(sandbox, delay);
    const other = terraform.lack ? undefined : await slowEmulator(sandbox, delay);
    for (const size of sizes) {
      const name = `${size}-${delay}`;
      const ours = await sandbox.stack(`ours-${name}`, emulator, size);
      const floor = await sandbox.stack(`floor-${name}`, emulator, size, floorProgram);
      subjects.push(subject("ours", size, delay, emulator, pulumi(ours), stateOf(sandbox, `ours-${name}`)));
      subjects.push(subject("floor", size, delay, emulator, pulumi(floor), stateOf(sandbox, `floor-${name}`)));
      const native = await sandbox.stack(`native-${name}`, nativeEmulator, size, nativeProgram);
      subjects.push(subject("native", size, delay, nativeEmulator, pulumi(native), stateOf(sandbox, `native-${name}`)));
      if (!other) continue;
      const folder = join(sandbox.folder, `terraform-${name}`);
      const theirs = await terraformIn(folder, terraform, sandbox.env, other, size);
      subjects.push(subject("terraform", size, delay, other, theirs.run, theirs.state));
    }
  }
  return subjects;
}

const subject = (who, size, delay, emulator, run, state) => ({ who, size, delay, emulator, run, state, steps: {} });
const pulumi = (cli) => (name) => cli(...COMMANDS[name]);
const stateOf = (sandbox, stack) => join(sandbox.folder, "state", ".pulumi", "stacks", "bench", `${stack}.json`);

/** Starts an emulator that delays each request. @param delay Milliseconds. */
export async function slowEmulator(sandbox, delay) {
  const emulator = await sandbox.startEmulator("instant");
  if (delay === 0) return emulator;
  const response = await fetch(`${emulator}/_emulator/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ delay_ms: delay, times: 1e9 }),
  });
  if (!response.ok) throw new Error(`The emulator rejected the delay: ${await response.text()}`);
  return emulator;
}

/** Runs each step for all subjects in turn, so that other load of the machine affects all of them. */
async function measureAll(subjects, sizes, delays, now) {
  for (const delay of delays) {
    for (const size of sizes) {
      const together = subjects.filter((one) => one.size === size && one.delay === delay);
      for (const name of Object.keys(COMMANDS)) {
        for (const one of together) {
          now(`${name} of ${size} at ${delay} ms, ${one.who}`);
          await measure(one, name);
        }
      }
    }
  }
}

async function measure(one, name) {
  await fetch(`${one.emulator}/_emulator/journal`, { method: "DELETE" });
  const begin = performance.now();
  await one.run(name);
  const seconds = (performance.now() - begin) / 1000;
  const { count } = await (await fetch(`${one.emulator}/_emulator/journal`)).json();
  one.steps[name] ??= { seconds: [], requests: [] };
  one.steps[name].seconds.push(seconds);
  one.steps[name].requests.push(count);
  if (name === "up") one.bytes = Buffer.byteLength(JSON.stringify(JSON.parse(readFileSync(one.state, "utf8"))));
}

function print(subjects, sizes, delays, terraform, rounds) {
  const find = (who, size, delay) =>
    subjects.find((one) => one.who === who && one.size === size && one.delay === delay);
  for (const delay of delays) {
    for (const size of sizes) {
      const [ours, floor, native, theirs] = ["ours", "floor", "native", "terraform"].map((who) =>
        find(who, size, delay),
      );
      const rows = Object.keys(COMMANDS).map((name) => row(name, ours, floor, native, theirs));
      const heading = [
        "Step",
        "s",
        "baseline s",
        "ratio",
        "allowed s",
        "requests",
        "native s",
        "ratio",
        ...(theirs ? ["Terraform s", "requests"] : []),
      ];
      console.log(`\n${size} ${size === 1 ? "deployment" : "deployments"}, each request delayed by ${delay} ms`);
      table([heading, ...rows]);
      const bytes = [
        `ours ${ours.bytes}`,
        `native ${native.bytes}`,
        `baseline ${floor.bytes}`,
        ...(theirs ? [`Terraform ${theirs.bytes}`] : []),
      ];
      console.log(`State, bytes: ${bytes.join(", ")}`);
    }
  }
  console.log(
    METHOD(rounds, terraform)
      .map((line) => `\n${line}`)
      .join(""),
  );
}

function row(name, ours, floor, native, theirs) {
  const seconds = median(ours.steps[name].seconds);
  const least = median(floor.steps[name].seconds);
  const allowed = 1.15 * least + (CHAINS[name](ours.size) * ours.delay) / 1000;
  return [
    name,
    spread(ours.steps[name].seconds),
    spread(floor.steps[name].seconds),
    (seconds / least).toFixed(2),
    `${allowed.toFixed(1)}${seconds > allowed ? " MISSED" : ""}`,
    String(median(ours.steps[name].requests)),
    spread(native.steps[name].seconds),
    (median(native.steps[name].seconds) / least).toFixed(2),
    ...(theirs ? [spread(theirs.steps[name].seconds), String(median(theirs.steps[name].requests))] : []),
  ];
}

const spread = (seconds) => `${median(seconds).toFixed(1)} (${Math.min(...seconds).toFixed(1)})`;

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((one) => one[column].length)));
  for (const one of rows)
    console.log(
      one
        .map((cell, column) => cell.padEnd(widths[column] + 2))
        .join("")
        .trimEnd(),
    );
}

const METHOD = (rounds, { lack, version }) => [
  `Seconds: the whole command, median (fastest) of ${rounds} ${rounds === 1 ? "round" : "rounds"}; Pulumi with --skip-preview.`,
  "Delay: the emulator waits before it processes each request; rollouts and deletions themselves are instant.",
  "Native: the same program with pulumi-agentgraph/native; ratio to the baseline.",
  "Baseline: as many dynamic resources with a similar stub and the same arguments, whose operations do nothing.",
  `Allowed: 1.15 times the baseline, plus the delay of each sequential request: at 100 deployments ${Object.keys(
    COMMANDS,
  )
    .map((name) => `${CHAINS[name](100)} for ${name}`)
    .join(", ")}, since the engine processes ${PARALLEL} resources at once.`,
  "Requests: the request log of the emulator. State: the file after the update, as compact JSON.",
  lack ??
    `${version}: the generic REST provider with the same request bodies and its default parallelism of 10; it waits neither for rollouts nor for deletions.`,
  `Machine: ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the end.`,
];

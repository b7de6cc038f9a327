/** Emulators that the tests of one file use in turn: a reset takes a sixth of the time of a stop and a start. */
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/index";

/** With other options, such as a data folder or commands of agents, a reset is not enough. */
const REUSABLE: readonly string[] = [
  ...["strict", "interfaceOnly", "edition", "platform", "plan", "agentAuth", "agentServer", "agents"],
];

interface Started {
  emulator: Emulator;
  /** What it can be reused for; undefined if it cannot be. */
  options: string | undefined;
  isStopped?: boolean;
  /** Called after a test, before its requests are forgotten. */
  beforeEnd: (emulator: Emulator) => void;
}

const inUse: Started[] = [];
const idle: Started[] = [];

/**
 * Starts an emulator for one test, or resets one that an earlier test used with the same options, unless it must be
 * new.
 */
export async function useEmulator(
  options: EmulatorOptions,
  isNew = false,
  beforeEnd: Started["beforeEnd"] = () => undefined,
): Promise<Emulator> {
  const isReusable = !isNew && Object.keys(options).every((name) => REUSABLE.includes(name));
  const key = isReusable ? JSON.stringify(Object.entries(options).sort()) : undefined;
  const index = idle.findIndex((started) => isReusable && started.options === key);
  const [started = { emulator: await startEmulator(options), options: key, beforeEnd }] =
    index < 0 ? [] : idle.splice(index, 1);
  inUse.push(started);
  started.beforeEnd = beforeEnd;
  const { emulator } = started;
  if (index >= 0) await emulator.reset();
  return {
    ...emulator,
    stop() {
      if (!started.isStopped) beforeEnd(emulator);
      started.isStopped = true;
      started.options = undefined;
      return emulator.stop();
    },
  };
}

afterEach(async () => {
  for (const started of inUse.splice(0)) {
    if (!started.isStopped) started.beforeEnd(started.emulator);
    if (started.options === undefined) await started.emulator.stop();
    else idle.push(started);
  }
});

afterAll(async () => {
  for (const { emulator } of idle.splice(0)) await emulator.stop();
});

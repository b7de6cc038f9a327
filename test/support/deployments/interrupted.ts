/** Deployments that no state contains, after a run that was killed or whose state is lost. */
import { type Platform, startPlatform } from "../platform";
import { Stack, type StackOptions, startStack, stateOf } from "../stack";
import { dockerDeployment } from "./inputs";

const killError = new Error("kill -9");

/** Kills the run of a command during its next wait. */
export async function kill(platform: Platform, command: () => Promise<unknown>): Promise<void> {
  platform.duringNextWait(() => Promise.reject(killError));
  await expect(command()).rejects.toThrow("kill -9");
}

/** A run that was killed during its wait: the deployment exists, and no state contains it. */
export async function interrupted(
  options: StackOptions = {},
  declared = dockerDeployment(),
): Promise<{ platform: Platform; stack: Stack; id: string }> {
  const platform = await startPlatform();
  const killed = new Stack(platform, options);
  await kill(platform, () => killed.up(declared));
  return { platform, stack: killed.fork(), id: stateOf(killed).id };
}

/** A deployment that has been live for hours and that no state contains. */
export async function withoutState(
  options: StackOptions = {},
): Promise<{ platform: Platform; stack: Stack; id: string }> {
  const platform = await startPlatform();
  const stack = await startStack(platform, dockerDeployment(), options);
  await platform.advance(2 * 3_600_000);
  return { platform, stack: stack.fork(), id: stateOf(stack).id };
}

export async function untouched(platform: Platform): Promise<void> {
  expect(await platform.deployments()).toHaveLength(1);
  expect(platform.requests({ method: "POST" }).length).toBeLessThanOrEqual(1);
  expect([...platform.requests({ method: "PATCH" }), ...platform.requests({ method: "DELETE" })]).toEqual([]);
}

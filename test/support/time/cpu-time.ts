/** Processor time, which does not depend on what else a machine does. */

/** Returns the processor time in milliseconds that work takes. */
export function cpuTimeOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

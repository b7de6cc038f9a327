/** Ends with an engine that was killed, which sends no signal: requests would mix with those of the next run. */
import { fstatSync } from "node:fs";
import { tryOr } from "../../text/try-or";

const STDIN = 0;

/** Ends this process when the engine, which keeps the standard input of its providers open, has ended. */
export function exitWithEngine(): void {
  if (!isOpenedByEngine()) return;
  process.stdin.on("end", () => process.exit(0)).resume();
}

/** Any other standard input, such as /dev/null or a terminal, ends without regard to the engine. */
function isOpenedByEngine(): boolean {
  const stdin = tryOr(() => fstatSync(STDIN), undefined);
  return stdin !== undefined && (stdin.isFIFO() || stdin.isSocket());
}

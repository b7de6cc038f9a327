/** Asks before the suite creates or removes anything on a server. */
import { createInterface } from "node:readline/promises";

/** Returns whether the user agrees. Without a terminal, nothing happens without --yes. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.log(`${question} This is not a terminal: pass --yes.`);
    return false;
  }
  const readline = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await readline.question(`${question} [y/N] `)).trim());
  } finally {
    readline.close();
  }
}

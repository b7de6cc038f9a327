/** Prints the statements of docs/internal/coverage.md with the tests that prove them, and then what is wrong. */
import { problemsOf, readProofs, readStatements } from "../../test/docs/support/coverage.ts";
import { ROOT } from "../setup/paths.mjs";

export const usage = {
  command: "npm run coverage",
  summary: "Prints the tests that prove each statement of docs/internal/coverage.md.",
  options: {
    id: { type: "string", form: "ID", meaning: "only statements whose IDs begin like this, such as 2A.Deployment" },
  },
};

export function main({ id: prefix = "" }: { id?: string }) {
  const [statements, proofs] = [readStatements(ROOT), readProofs(ROOT)];
  for (const { id, text, reason } of statements.filter(({ id }) => id.startsWith(prefix))) {
    console.log(`${id}  ${text}`);
    for (const proof of proofs.get(id) ?? [`no test: ${reason}`]) console.log(`  ${proof}`);
  }
  const problems = problemsOf(statements, proofs);
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? 1 : 0;
}

/** Prints the facts of docs/platform-api/ with the tests that prove them, and then what is wrong. */
import { problemsOf, readProofs } from "../../test/docs/support/coverage.ts";
import { readFacts } from "../docs/platform-api.ts";
import { ROOT } from "../setup/paths.mjs";

export const usage = {
  command: "npm run coverage",
  summary: "Prints the tests that prove each fact of docs/platform-api/.",
  options: {
    id: { type: "string", form: "ID", meaning: "only facts whose IDs begin like this, such as 2A.Deployment" },
  },
};

export function main({ id: prefix = "" }: { id?: string }) {
  const [facts, proofs] = [readFacts(ROOT), readProofs(ROOT)];
  for (const { id, text, reason } of facts.filter(({ id }) => id.startsWith(prefix))) {
    console.log(`${id}  ${text}`);
    for (const proof of proofs.get(id) ?? [`no test: ${reason}`]) console.log(`  ${proof}`);
  }
  const problems = problemsOf(facts, proofs);
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? 1 : 0;
}

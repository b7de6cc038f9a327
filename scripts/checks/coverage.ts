/** Prints the facts of docs/platform-api/ with the tests that prove them, and then what is wrong. */
import { problemsOf, readProofs, testsOf } from "../../test/docs/support/coverage.ts";
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
  for (const fact of facts.filter(({ id }) => id.startsWith(prefix))) {
    const { id, text, certainty, source, reason } = fact;
    console.log(`${id}  ${text}`);
    if (source !== undefined) console.log(`  ${certainty}: ${source}`);
    const tests = testsOf(fact, proofs);
    for (const proof of tests) console.log(`  ${proof}`);
    if (tests.length === 0) console.log(`  no test${reason === undefined ? "" : `: ${reason}`}`);
  }
  const problems = problemsOf(facts, proofs);
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? 1 : 0;
}

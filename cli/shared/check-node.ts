/** Imported first: other modules need a newer Node to load at all, so an old one must be reported before them. */
import { nodeProblem } from "../../sdk/nodejs/preflight";

const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`error: ${problem}\n`);
  process.exit(1);
}

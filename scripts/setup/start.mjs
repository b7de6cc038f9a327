/**
 * How a command starts and how it fails: with one sentence that says what to do.
 *
 * Everything else is imported only after the machine was looked at: this file and the entries keep to syntax that
 * old versions of Node can parse, so that they get as far as saying that they are too old.
 */

const LEAST_NODE = 20;

/** Imports a command, reads its command line if it says what that takes, and runs its `main()`, which returns the exit code. */
export function start(load) {
  const unfit = unfitMachine();
  if (unfit) return fail(unfit);
  return load()
    .then(perform)
    .then((code) => {
      process.exitCode = code || 0;
    })
    .catch(tell);
}

function perform({ usage, main }) {
  if (!usage) return main();
  return import("./command-line.mjs").then(({ readCommandLine }) => {
    const values = readCommandLine(process.argv.slice(2), usage);
    return values && main(values);
  });
}

function unfitMachine() {
  if (process.platform === "win32") {
    return "On Windows this runs in WSL: open a WSL terminal, clone the repository there and run the same command.";
  }
  if (Number(process.versions.node.split(".")[0]) < LEAST_NODE) {
    return `Node ${process.versions.node} is too old to start: install Node 24 (https://nodejs.org), or any from ${LEAST_NODE} on, and run the same command again.`;
  }
  return "";
}

/** A failure that is known becomes its sentence; what nobody foresaw is a mistake of ours and keeps its stack. */
function tell(error) {
  return import("./problem.mjs").then(({ toProblem }) => {
    const problem = toProblem(error);
    if (problem === undefined) throw error;
    if (problem.details) console.error(problem.details);
    fail(problem.message);
  });
}

function fail(sentence) {
  console.error(`\n${sentence}`);
  process.exitCode = 1;
}

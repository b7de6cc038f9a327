/**
 * Starts a command, and reports its failure with what to do.
 *
 * Everything else is imported only after the machine was checked: this file and the entry points use syntax that old
 * versions of Node can parse, so that they can report that Node is too old. Files that run before a newer Node is
 * installed are JavaScript, which Node 20 runs.
 */

const MIN_NODE_MAJOR = 20;

/** Imports a command, parses its arguments if it has `usage`, and runs its `main()`, which returns the exit code. */
export function start(load) {
  const problem = machineProblem();
  if (problem) return fail(problem);
  return load()
    .then(perform)
    .then((code) => {
      process.exitCode = code || 0;
    })
    .catch(report);
}

/** Does the same for a command in TypeScript, with the Node of the set-up if the running one is too old. */
export function startTypeScript(load) {
  return start(() =>
    import("./node.mjs")
      .then(({ ensureNode }) => ensureNode())
      .then((node) => (node === process.execPath ? load() : { main: () => runAgain(node) })),
  );
}

function runAgain(node) {
  return import("./run.mjs").then(({ show }) => show(node, process.argv.slice(1)));
}

function perform({ usage, main }) {
  if (!usage) return main();
  return import("./command-line.mjs").then(({ readCommandLine }) => {
    const values = readCommandLine(process.argv.slice(3), usage);
    return values && main(values);
  });
}

function machineProblem() {
  if (process.platform === "win32")
    return "On Windows, this requires WSL. Open a WSL terminal, clone the repository there and run the same command.";
  if (Number(process.versions.node.split(".")[0]) < MIN_NODE_MAJOR) {
    return (
      `Node ${process.versions.node} is too old. Install Node 24 (https://nodejs.org) and run the same command ` +
      `again; Node ${MIN_NODE_MAJOR} is the minimum.`
    );
  }
  return "";
}

/** Reports a known problem by its message. An unexpected error keeps its stack trace. */
function report(error) {
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

/** Imported first: Node.js 22 warns at every start that SQLite is experimental. Passes on all other warnings. */
const { emitWarning } = process;

process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
  if (String(warning).startsWith("SQLite is an experimental feature")) return;
  Reflect.apply(emitWarning, process, [warning, ...rest]);
}) as typeof process.emitWarning;

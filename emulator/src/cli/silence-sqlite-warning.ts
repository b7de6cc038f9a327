/**
 * Imported first by the command: Node 22 announces at every start that its SQLite is experimental, which a user of the
 * emulator can do nothing about. Every other warning is passed on.
 */
const { emitWarning } = process;

process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
  if (String(warning).startsWith("SQLite is an experimental feature")) return;
  Reflect.apply(emitWarning, process, [warning, ...rest]);
}) as typeof process.emitWarning;

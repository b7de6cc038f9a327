/** What the commands print with --json, other than doctor, whose schema is written. */

/** Where a type of JSON is declared: a type, or a function that returns it. */
type Declaration = readonly [file: string, name: string];

/** The output of each command of `agentgraph`. */
const PROVIDER: Readonly<Record<string, Declaration>> = {
  adopt: ["cli/adopt/report.ts", "toJson"],
  backup: ["cli/conversations/text.ts", "backupJson"],
  init: ["cli/init/report.ts", "toJson"],
  requests: ["cli/requests/text.ts", "requestsJson"],
  restore: ["cli/conversations/text.ts", "restoreJson"],
  review: ["cli/review/summary.ts", "reviewJson"],
  types: ["cli/types/output.ts", "typesJson"],
  "types --check": ["cli/types/output.ts", "checkJson"],
  verify: ["cli/conversations/text.ts", "verifyJson"],
};

/** The output of each command of `agentgraph-emulator`; that of `logs` is one object per line. */
const EMULATOR: Readonly<Record<string, Declaration>> = {
  advance: ["emulator/src/cli/advance.ts", "AdvanceOutput"],
  faults: ["emulator/src/cli/faults.ts", "FaultsOutput"],
  "faults add": ["emulator/src/cli/faults.ts", "AddedFaultOutput"],
  "faults remove": ["emulator/src/cli/faults.ts", "RemovedFaultsOutput"],
  logs: ["emulator/src/runtime/descriptions.ts", "RequestLogEntry"],
  "logs --deployment": ["emulator/src/runtime/descriptions.ts", "DeploymentLogLine"],
  reset: ["emulator/src/cli/reset.ts", "ResetOutput"],
  start: ["emulator/src/cli/daemon.ts", "StartOutput"],
  status: ["emulator/src/cli/daemon.ts", "StatusOutput"],
  stop: ["emulator/src/cli/daemon.ts", "StopOutput"],
};

const filesOf = (folder: string, command: string, outputs: Readonly<Record<string, Declaration>>) =>
  Object.entries(outputs).map(([name, declaration]) => {
    const file = `${folder}/${name.replace(/ -*/, "-")}.schema.json`;
    return [file, { declaration, title: `Output of ${command} ${name} --json` }] as const;
  });

/** The title of each schema and the declaration that it is generated from, by its file. */
export const OUTPUTS: Readonly<Record<string, { declaration: Declaration; title: string }>> = Object.fromEntries([
  ...filesOf("docs/schemas", "agentgraph", PROVIDER),
  ...filesOf("emulator/schemas", "agentgraph-emulator", EMULATOR),
]);

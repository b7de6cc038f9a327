/** `agentgraph-emulator faults`: lists, adds and removes injected faults. */
import type { StoredFault } from "../runtime/faults";
import { Client } from "./client";
import { columns, formatCount } from "./colors";
import { describeFault, faultOptions, parseFault } from "./fault-options";
import { type ClientOutput, type CommandGroup, printResult, type Subcommand, usageError } from "./subcommand";

interface FaultsOutput extends ClientOutput {
  faults: StoredFault[];
}

interface AddedFaultOutput extends ClientOutput {
  fault: StoredFault;
}

interface RemovedFaultsOutput extends ClientOutput {
  /** Their IDs. */
  removed: number[];
}

const list: Subcommand = {
  name: "list",
  summary: "List the pending faults (default).",

  async run(_args, options, io) {
    const client = await Client.find(options, io);
    printResult<FaultsOutput>(options, io, { url: client.url, faults: await listFaults(client) }, ({ faults }) => {
      if (faults.length > 0) return table(faults);
      return `No faults are pending at ${client.url}. Add one: agentgraph-emulator faults add --status 503`;
    });
  },
};

const add: Subcommand = {
  name: "add",
  summary: "Inject a fault into requests, revisions or export runs.",
  options: faultOptions,
  help: `
The oldest matching fault applies, as often as --times specifies.

Examples:
  agentgraph-emulator faults add --path '/v2/deployments/*' --status 429 --header 'Retry-After: 1' --times 2
  agentgraph-emulator faults add --method POST --connection reset-after
  agentgraph-emulator faults add --revision BUILD_FAILED --log 'npm ERR! missing script'
  agentgraph-emulator faults add --hold DEPLOYING --deployment my-agent
  agentgraph-emulator faults add --export-error 'bucket unavailable' --times 21`,

  async run(_args, options, io) {
    const fault = parseFault(options);
    const client = await Client.find(options, io);
    const added = await client.request<StoredFault>("POST", "faults", fault);
    printResult<AddedFaultOutput>(
      options,
      io,
      { url: client.url, fault: added },
      ({ fault }) => `Added fault ${fault.id}: ${sentence(fault)}`,
    );
  },
};

const remove: Subcommand = {
  name: "remove",
  summary: "Remove one fault. Removing a hold lets revisions continue.",
  argument: { form: "<id>", meaning: 'the ID that "faults" shows' },

  async run([id = ""], options, io) {
    if (!/^\d{1,15}$/.test(id))
      throw usageError(`Invalid fault ID "${id}"; run "agentgraph-emulator faults" to list the IDs.`);
    const client = await Client.find(options, io);
    await client.request("DELETE", `faults/${Number(id)}`);
    printResult<RemovedFaultsOutput>(
      options,
      io,
      { url: client.url, removed: [Number(id)] },
      () => `Removed fault ${Number(id)}.`,
    );
  },
};

const clear: Subcommand = {
  name: "clear",
  summary: "Remove all faults.",

  async run(_args, options, io) {
    const client = await Client.find(options, io);
    const removed = (await listFaults(client)).map(({ id }) => id);
    await client.request("DELETE", "faults");
    printResult<RemovedFaultsOutput>(options, io, { url: client.url, removed }, () =>
      removed.length === 0
        ? `No faults were pending at ${client.url}.`
        : `Removed ${formatCount(removed.length, "fault")}.`,
    );
  },
};

export const faults: CommandGroup = {
  members: [list, add, remove, clear],
  help: `
Examples:
  agentgraph-emulator faults
  agentgraph-emulator faults add --path '/v2/**' --status 503 --times 3
  agentgraph-emulator faults clear`,
};

async function listFaults(client: Client): Promise<StoredFault[]> {
  return (await client.request<{ faults: StoredFault[] }>("GET", "faults")).faults;
}

function table(faults: readonly StoredFault[]): string {
  const rows = faults.map((fault) => {
    const { kind, effect: does } = describeFault(fault);
    return [String(fault.id), kind, "hold" in fault ? "-" : String(fault.times), String(fault.skip), does];
  });
  return columns([["ID", "KIND", "TIMES", "SKIP", "EFFECT"], ...rows]).join("\n");
}

function sentence(fault: StoredFault): string {
  const { effect: does } = describeFault(fault);
  if ("hold" in fault) return `${does}.`;
  const skip = fault.skip === 0 ? "" : `, after skipping ${formatCount(fault.skip, "match", "matches")}`;
  return `${does} (${fault.times === 1 ? "once" : formatCount(fault.times, "time")}${skip}).`;
}

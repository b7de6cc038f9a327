/** `agentgraph-emulator faults`: lists, adds and removes injected faults. */
import type { StoredFault } from "../runtime/faults";
import { Client } from "./client";
import { columns, counted } from "./colors";
import { describeFault, faultOptions, readFault } from "./fault-options";
import { type Family, mistake, type Subcommand, tell } from "./subcommand";

const list: Subcommand = {
  name: "list",
  summary: "List the pending faults (default).",

  async run(_words, options, surroundings) {
    const client = await Client.find(options, surroundings);
    const faults = await faultsOf(client);
    tell(options, surroundings, { url: client.url, faults }, () => {
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
  agentgraph-emulator faults add --method GET --path '/v2/deployments/*' --status 429 --header 'Retry-After: 1' --times 2
  agentgraph-emulator faults add --method POST --connection reset-after
  agentgraph-emulator faults add --revision BUILD_FAILED --log 'npm ERR! missing script'
  agentgraph-emulator faults add --hold DEPLOYING --deployment my-agent
  agentgraph-emulator faults add --export-error 'bucket unavailable' --times 21`,

  async run(_words, options, surroundings) {
    const fault = readFault(options);
    const client = await Client.find(options, surroundings);
    const added = await client.ask<StoredFault>("POST", "faults", fault);
    tell(options, surroundings, { url: client.url, fault: added }, () => `Added fault ${added.id}: ${sentence(added)}`);
  },
};

const remove: Subcommand = {
  name: "remove",
  summary: "Remove one fault. Removing a hold lets revisions continue.",
  word: { form: "<id>", meaning: 'the ID that "faults" shows' },

  async run([id = ""], options, surroundings) {
    if (!/^\d{1,15}$/.test(id))
      throw mistake(`Invalid fault ID "${id}"; run "agentgraph-emulator faults" to list the IDs.`);
    const client = await Client.find(options, surroundings);
    await client.ask("DELETE", `faults/${Number(id)}`);
    tell(options, surroundings, { url: client.url, removed: [Number(id)] }, () => `Removed fault ${Number(id)}.`);
  },
};

const clear: Subcommand = {
  name: "clear",
  summary: "Remove all faults.",

  async run(_words, options, surroundings) {
    const client = await Client.find(options, surroundings);
    const removed = (await faultsOf(client)).map(({ id }) => id);
    await client.ask("DELETE", "faults");
    tell(options, surroundings, { url: client.url, removed }, () =>
      removed.length === 0
        ? `No faults were pending at ${client.url}.`
        : `Removed ${counted(removed.length, "fault")}.`,
    );
  },
};

export const faults: Family = {
  members: [list, add, remove, clear],
  help: `
Examples:
  agentgraph-emulator faults
  agentgraph-emulator faults add --path '/v2/**' --status 503 --times 3
  agentgraph-emulator faults clear`,
};

async function faultsOf(client: Client): Promise<StoredFault[]> {
  return (await client.ask<{ faults: StoredFault[] }>("GET", "faults")).faults;
}

function table(faults: readonly StoredFault[]): string {
  const rows = faults.map((fault) => {
    const { kind, does } = describeFault(fault);
    return [String(fault.id), kind, "hold" in fault ? "-" : String(fault.times), String(fault.skip), does];
  });
  return columns([["ID", "KIND", "TIMES", "SKIP", "EFFECT"], ...rows]).join("\n");
}

function sentence(fault: StoredFault): string {
  const { does } = describeFault(fault);
  if ("hold" in fault) return `${does}.`;
  const skip = fault.skip === 0 ? "" : `, after skipping ${counted(fault.skip, "match", "matches")}`;
  return `${does} (${fault.times === 1 ? "once" : counted(fault.times, "time")}${skip}).`;
}

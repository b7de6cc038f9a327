/** `agentgraph-emulator faults`: the troubles that wait for their moment. */
import type { StoredFault } from "../runtime/faults";
import { Client } from "./client";
import { columns, counted } from "./colors";
import { describeFault, faultOptions, readFault } from "./fault-options";
import { type Family, mistake, type Subcommand, tell } from "./subcommand";

const list: Subcommand = {
  name: "list",
  summary: "List the faults that wait for their moment (the default).",

  async run(_words, options, surroundings) {
    const client = await Client.find(options, surroundings);
    const faults = await faultsOf(client);
    tell(options, surroundings, { url: client.url, faults }, () => {
      if (faults.length > 0) return table(faults);
      return `No fault waits at ${client.url}. Add one: agentgraph-emulator faults add --status 503`;
    });
  },
};

const add: Subcommand = {
  name: "add",
  summary: "Add a fault: to requests, revisions or runs of exports.",
  options: faultOptions,
  help: `
The oldest fault that matches is taken, as often as --times says.

Examples:
  agentgraph-emulator faults add --method GET --path '/v2/deployments/*' --status 429 --header 'Retry-After: 1' --times 2
  agentgraph-emulator faults add --method POST --connection reset-after
  agentgraph-emulator faults add --revision BUILD_FAILED --log 'npm ERR! missing script'
  agentgraph-emulator faults add --hold DEPLOYING --deployment my-agent
  agentgraph-emulator faults add --export-error 'the bucket sleeps' --times 21`,

  async run(_words, options, surroundings) {
    const fault = readFault(options);
    const client = await Client.find(options, surroundings);
    const added = await client.ask<StoredFault>("POST", "faults", fault);
    tell(options, surroundings, { url: client.url, fault: added }, () => `Added fault ${added.id}: ${sentence(added)}`);
  },
};

const remove: Subcommand = {
  name: "remove",
  summary: "Remove one fault; what a hold held goes on.",
  word: { form: "<id>", meaning: 'the number that "faults" shows' },

  async run([id = ""], options, surroundings) {
    if (!/^\d{1,15}$/.test(id))
      throw mistake(`"${id}" is no id of a fault: those are numbers, see "agentgraph-emulator faults".`);
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
      removed.length === 0 ? `There was no fault at ${client.url}.` : `Removed ${counted(removed.length, "fault")}.`,
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
  return columns([["ID", "KIND", "TIMES", "SKIP", "WHAT"], ...rows]).join("\n");
}

function sentence(fault: StoredFault): string {
  const { does } = describeFault(fault);
  if ("hold" in fault) return `${does}.`;
  const skip = fault.skip === 0 ? "" : `, after ${counted(fault.skip, "match that passes", "matches that pass")}`;
  return `${does} (${fault.times === 1 ? "once" : counted(fault.times, "time")}${skip}).`;
}

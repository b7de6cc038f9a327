/** `agentgraph adopt`: what is on the service -> a program that declares it, and what brings it into a stack's state. */
import { resolve } from "node:path";
import { filterOf, kinds, pairs, words } from "./adopt/options";
import { programOf } from "./adopt/program";
import { ALWAYS, assertFree, isOfModules, missingFiles, writeAll } from "./adopt/project";
import { readme } from "./adopt/readme";
import { forMachines, forPeople } from "./adopt/report";
import { stackConfig } from "./shared/stack-config";
import { EXIT, type Subcommand, UsageError } from "./shared/subcommand";

export const adopt: Subcommand = {
  name: "adopt",
  summary: "Write a program that declares what is on the service already, and the file that imports it.",
  options: [
    { flags: "--out <folder>", meaning: "where the program is written; adopted when absent" },
    {
      flags: "--only <kinds>",
      meaning: "by comma: deployments, destinations, exports, schedules, threads; all but threads when absent",
      read: kinds,
    },
    {
      flags: "--deployments <names>",
      meaning: "only these deployments, by comma, names or ids; and the exports of their projects",
      read: words,
    },
    { flags: "--name-contains <text>", meaning: "only deployments with this in their name; and their exports" },
    { flags: "--threads", meaning: "threads too, of the deployments that --deployment names" },
    {
      flags: "--deployment <names>",
      meaning: "deployments whose threads are adopted, names or ids by comma",
      read: words,
    },
    { flags: "--metadata <pairs>", meaning: "only threads that hold this: key=value, by comma", read: pairs },
    { flags: "--include-ended", meaning: "exports that have completed, too; they are history otherwise" },
    { flags: "--include-owned", meaning: "also what carries the mark of a Pulumi resource" },
    {
      flags: "--from-terraform <file>",
      meaning: "only what this Terraform state (version 4) holds; nothing but ids is read from it",
    },
    { flags: "--stack <name>", meaning: "the stack whose config is read; the selected one when absent" },
    { flags: "--force", meaning: "write over files that are there" },
  ],
  help: `
The service is only asked. No secret is written or shown: the program takes each from the config, and README.md beside
it has the commands that set them. What only the service filled in is left out of the program.

Exports that a schedule spawned, and those that failed or were cancelled, are never adopted.

Examples:
  agentgraph adopt --out agents
  agentgraph adopt --name-contains billing --out billing
  agentgraph adopt --only threads --deployment support-agent --metadata tier=gold
  agentgraph adopt --from-terraform state.json`,
  found: "nothing was found to adopt, or the service refused",

  async run(_words, options, { folder: from, env, stdout, secrets: hidden }) {
    // Loaded here and not above: they are slow to load, and no other command and no --help needs them.
    const { importFile } = await import("./adopt/import-file.js");
    const { cleanText: cleanWhole } = await import("../provider/text/clean.js");
    const { credentialsIn, readSettings } = await import("../provider/settings/settings.js");
    const { take } = await import("./adopt/adopt-resource.js");
    const { readTerraform } = await import("./adopt/terraform.js");
    const folder = resolve(from, String(options.out ?? "adopted"));
    const [force, file] = [options.force === true, options.fromTerraform as string | undefined];
    const filter = filterOf(options);
    assertFree(folder, ALWAYS, force);
    const claims = file === undefined ? undefined : await readTerraform(resolve(from, file));
    const { config, encrypted, status, says, todo } = await stackConfig(options.stack as string | undefined, {
      folder: from,
      env,
    });
    if (status === "fix") throw new UsageError(`--stack: ${says}. ${todo}`);
    for (const key of encrypted) hidden.add(String(config[key]));
    for (const value of credentialsIn(readSettings((key) => config[key], env))) hidden.add(value);

    const { all, left, terraform, names, notes } = await take(filter, claims, config);
    const { files: sources, secrets } = programOf(all, names, isOfModules(folder));
    const page = readme({ all, left, notes, terraform, secrets });
    const written = { ...sources, "import.json": importFile(all), "README.md": page, ...missingFiles(folder, from) };
    if (all.length > 0) await writeAll(folder, written, force);
    const files = all.length > 0 ? Object.keys(written) : [];
    const done = { folder, all, left, notes, secrets, files, ...(status === "note" && { config: says }) };
    const text = options.json ? `${JSON.stringify(forMachines(done), null, 2)}\n` : forPeople(done, from);
    stdout.write(cleanWhole(text, hidden));
    return all.length > 0 ? EXIT.fine : EXIT.found;
  },
};

/** `agentgraph adopt`: writes a program that declares existing resources, and a file that imports them into state. */
import { resolve } from "node:path";
import { filterOf, kinds, pairs, words } from "./adopt/options";
import { ALWAYS, assertFree, isOfModules, missingFiles, writeAll } from "./adopt/project";
import { readme } from "./adopt/readme";
import { forMachines, forPeople } from "./adopt/report";
import { readStackConfig } from "./shared/stack-config";
import { EXIT, type Subcommand, UsageError } from "./shared/subcommand";

export const adopt: Subcommand = {
  name: "adopt",
  summary: "Generate a program that declares existing resources, and a file that imports them.",
  options: [
    { flags: "--out <folder>", description: "folder to write the program to (default: adopted)" },
    {
      flags: "--only <kinds>",
      description:
        "only these kinds: deployments, destinations, exports, schedules, threads (default: all except threads)",
      parse: kinds,
    },
    {
      flags: "--deployments <names>",
      description: "only these deployments (names or IDs), and the exports of their projects",
      parse: words,
    },
    {
      flags: "--name-contains <text>",
      description: "only deployments whose names contain this text, and the exports of their projects",
    },
    { flags: "--threads", description: "also threads; requires --deployment" },
    {
      flags: "--deployment <names>",
      description: "deployments (names or IDs) whose threads are adopted",
      parse: words,
    },
    { flags: "--metadata <pairs>", description: "only threads with this metadata: key=value", parse: pairs },
    { flags: "--include-ended", description: "also exports that have completed" },
    { flags: "--include-owned", description: "also resources that another Pulumi program manages" },
    {
      flags: "--from-terraform <file>",
      description: "only resources in this Terraform state (version 4), of which only IDs are read",
    },
    { flags: "--stack <name>", description: "stack whose configuration is used (default: the selected stack)" },
    { flags: "--force", description: "overwrite existing files" },
  ],
  help: `
Lists (<kinds>, <names>, <pairs>) are separated by commas.

Read-only: nothing changes on the server. No secret is printed or written: the program reads secrets from the stack
configuration, and the generated README.md lists the commands that set them. Values that the server chose by itself
are left out of the program.

Exports that a schedule created, and exports that failed or were canceled, are never adopted.

Examples:
  agentgraph adopt --out agents
  agentgraph adopt --name-contains billing --out billing
  agentgraph adopt --only threads --deployment support-agent --metadata tier=gold
  agentgraph adopt --from-terraform state.json`,
  failureMeaning: "nothing to adopt, or a request failed",

  async run(_words, options, { folder: from, env, stdout, secrets: hidden }) {
    // Imported here because they load slowly, and neither --help nor other commands need them.
    const { importFile } = await import("./adopt/import-file.js");
    const { programOf } = await import("./adopt/program.js");
    const { cleanText } = await import("../provider/text/clean.js");
    const { credentialsIn, readSettings } = await import("../provider/settings/settings.js");
    const { take } = await import("./adopt/adopt-resource.js");
    const { readTerraform } = await import("./adopt/terraform.js");
    const folder = resolve(from, String(options.out ?? "adopted"));
    const [force, file] = [options.force === true, options.fromTerraform as string | undefined];
    const filter = filterOf(options);
    assertFree(folder, ALWAYS, force);
    const claims = file === undefined ? undefined : await readTerraform(resolve(from, file));
    const {
      config,
      encrypted,
      status,
      message: says,
      remedy: todo,
    } = await readStackConfig(options.stack as string | undefined, {
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
    stdout.write(cleanText(text, hidden));
    return all.length > 0 ? EXIT.success : EXIT.failure;
  },
};

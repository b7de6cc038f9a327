/** `agentgraph adopt`: writes a program that declares existing resources, and a file that imports them into state. */
import { resolve } from "node:path";
import { KINDS } from "../adopt/kinds";
import {
  type AdoptOptions,
  LANGUAGES,
  parseKinds,
  parseLanguage,
  parseList,
  parsePairs,
  parseUrls,
  toFilter,
} from "../adopt/options";
import { assertNotExisting, missingFiles, writeFiles } from "../adopt/project";
import { formatReadme } from "../adopt/readme";
import { toJson, toText, wrapReport } from "../adopt/report";
import { printJson } from "../shared/json";
import { readStackConfig } from "../shared/pulumi/stack-config";
import { EXIT, type Subcommand, UsageError } from "../shared/subcommand";
import { columnsOf } from "../shared/text/wrap";

const IMPORT_FILE = "import.json";
const README = "README.md";

export const adopt: Subcommand<AdoptOptions> = {
  name: "adopt",
  summary: "Generate a program that declares existing resources, and a file that imports them.",
  options: [
    { flags: "--out <folder>", description: "folder to write the program to (default: adopted)" },
    {
      flags: "--language <name>",
      description: `language of the program: ${LANGUAGES.join(", ")} (default: ${LANGUAGES[0]})`,
      parse: parseLanguage,
    },
    {
      flags: "--only <kinds>",
      description: `only these kinds: ${KINDS.join(", ")} (default: all except threads)`,
      parse: parseKinds,
    },
    {
      flags: "--deployments <names>",
      description: "only these deployments (names or IDs), and the exports of their projects",
      parse: parseList,
    },
    {
      flags: "--name-contains <text>",
      description: "only deployments whose names contain this text, and the exports of their projects",
    },
    { flags: "--components", description: "declare each deployment with what belongs to it as one AgentService" },
    { flags: "--threads", description: "also threads; requires --deployment or --agent-urls" },
    {
      flags: "--deployment <names>",
      description: "deployments (names or IDs) whose threads are adopted",
      parse: parseList,
    },
    {
      flags: "--agent-urls <urls>",
      description: "also the assistants and crons of these agent servers, and with --threads their threads",
      parse: parseUrls,
    },
    { flags: "--metadata <pairs>", description: "only threads with this metadata: key=value", parse: parsePairs },
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
Lists (<kinds>, <names>, <urls>, <pairs>) are separated by commas.

Read-only: nothing changes on the server. No secret is printed or written: the
program reads secrets from the stack configuration, and the generated README.md
lists the commands that set them. The program omits values that the server
chose.

Exports that a schedule created, and exports that failed or were canceled, are
never adopted.

Examples:
  agentgraph adopt --out agents
  agentgraph adopt --name-contains billing --out billing
  agentgraph adopt --language python --components
  agentgraph adopt --only threads --deployment support --metadata tier=gold
  agentgraph adopt --from-terraform state.json`,
  failureMeaning: "nothing to adopt, or a request failed",

  async run(_args, options, { folder: workingFolder, env, stdout, secrets: secretValues }) {
    // Imported here because they load slowly, and neither --help nor other commands need them.
    const { declareAll } = await import("../adopt/program/declarations.js");
    const { languages } = await import("../adopt/program/languages.js");
    const { cleanText } = await import("../../provider/text/clean.js");
    const { credentialsIn, readSettings } = await import("../../provider/settings/settings.js");
    const { discoverResources } = await import("../adopt/adopt-resource.js");
    const { readTerraformState } = await import("../adopt/terraform.js");
    const { out = "adopted", language: languageName = LANGUAGES[0], fromTerraform: file, stack } = options;
    const folder = resolve(workingFolder, out);
    const force = options.force === true;
    const filter = toFilter(options);
    const language = languages[languageName];
    assertNotExisting(folder, [language.mainFile, IMPORT_FILE, README], force);
    const terraformEntries = file === undefined ? undefined : await readTerraformState(resolve(workingFolder, file));
    const { config, encrypted, status, message, remedy } = await readStackConfig(stack, { folder: workingFolder, env });
    if (status === "fix") throw new UsageError(`--stack: ${message}. ${remedy}`);
    for (const key of encrypted) secretValues.add(String(config[key]));
    for (const value of credentialsIn(readSettings((key) => config[key], env))) secretValues.add(value);

    const { all, skipped, terraform, names, notes, cautions } = await discoverResources(
      filter,
      terraformEntries,
      config,
      language,
    );
    const program = declareAll(all, names);
    const { secrets } = program;
    const location = { folder, from: workingFolder };
    const allFiles = {
      ...language.sources(program, location),
      [IMPORT_FILE]: language.importFile(all),
      [README]: formatReadme({ all, skipped, notes, cautions, terraform, secrets, language }),
      ...missingFiles(folder, language.projectFiles(location)),
    };
    if (all.length > 0) await writeFiles(folder, allFiles, force);
    const files = all.length > 0 ? Object.keys(allFiles) : [];
    const report = {
      folder,
      all,
      skipped,
      notes,
      cautions,
      secrets,
      files,
      language,
      ...(status === "note" && { config: message }),
    };
    const text = () => wrapReport(cleanText(toText(report, workingFolder), secretValues), columnsOf(stdout));
    stdout.write(options.json ? printJson(toJson(report), secretValues) : text());
    return all.length > 0 ? EXIT.success : EXIT.failure;
  },
};

/** The text of docs/_index.md, the page of the Pulumi Registry, from README.md and docs/getting-started.md. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { ROOT } from "../../setup/paths.mjs";
import { blocksOf, fence } from "../examples/index.ts";
import { readTypescript } from "../examples/typescript-reader.ts";
import { schema } from "../schema.ts";

const TUTORIAL = "docs/getting-started.md";

/** Returns what the first group of a pattern matches in a page. */
function partOf(file: string, pattern: RegExp): string {
  const [, part] = pattern.exec(readFileSync(join(ROOT, file), "utf8")) ?? [];
  if (part === undefined) throw new Error(`${file} contains nothing that matches ${pattern}.`);
  return part;
}

/** Returns a paragraph without links, whose targets the Registry does not have, in lines of the usual length. */
const plain = (text: string) =>
  text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll("\n", " ")
    .replace(/(.{1,120})(?: |$)/g, "$1\n")
    .trimEnd();

function programs(): string {
  const text = partOf(TUTORIAL, /^<!-- file: index\.ts -->\n```ts\n([\s\S]*?)^```/m);
  const declarations = readTypescript(text, []);
  if (!declarations) throw new Error(`${TUTORIAL}: the program does more than declare, so it has no other languages.`);
  const { program, variables } = declarations;
  const blocks = blocksOf(stringify(program, { lineWidth: 0 }), schema, { variables });
  const choosable = blocks.map(
    (block) => `{{% choosable language ${block.language} %}}\n\n${fence(block)}\n\n{{% /choosable %}}`,
  );
  const languages = blocks.map(({ language }) => language).join(",");
  return [`{{< chooser language "${languages}" >}}`, ...choosable, "{{< /chooser >}}"].join("\n");
}

export const text = `---
title: AgentGraph
meta_desc: Provides an overview of the AgentGraph Provider for Pulumi.
layout: package
---

${plain(partOf("README.md", /^# .+\n\n([\s\S]+?)\n\n/))}

## Example

This program runs an agent from a container image:

${programs()}

\`pulumi preview\` shows what a change does to the running agent, here that of the image:

${partOf(TUTORIAL, /^(```text\n ~ [\s\S]*?^```)/m)}

\`pulumi up\` returns when the new revision is live.

## Resources and functions

The [API documentation](./api-docs/) lists all resources and functions, each with an example.
[Installation and configuration](./installation-configuration/) shows how to connect a stack to your platform.
`;

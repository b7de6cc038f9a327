/** Every kind of resource is shown wherever users look for one. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { definitions } from "../../provider/definitions";
import { documents, ROOT, textOf } from "./support/markdown";

const guide = documents().filter((file) => file.startsWith("docs/"));
// Not deeper: the node_modules of an example lead back to the checkout.
const examples = readdirSync(join(ROOT, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(ROOT, "examples", name)).map((file) => `examples/${name}/${file}`))
  .filter((file) => /\.m?ts$/.test(file));
const isIn = (files: readonly string[], text: string) => files.some((file) => textOf(file).includes(text));

describe.each(definitions.map(({ kind }) => kind))("%s", (kind) => {
  const constructed = `new agentgraph.${kind}(`;

  it("is named in the README", () => expect(textOf("README.md")).toContain(kind));
  it("is declared in the guide", () => expect(isIn(guide, constructed)).toBe(true));
  it("is declared by an example", () => expect(isIn(examples, constructed)).toBe(true));
  it("has a declaration and its page of the guide in the comment of its class", () => {
    const [comment = ""] = textOf("sdk/index.ts").split(`\nexport const ${kind} = `)[0]?.split("/**").slice(-1) ?? [];
    expect(comment).toContain(constructed);
    expect(comment).toMatch(/@see \[.+\]\(node_modules\/pulumi-agentgraph\/docs\/.+\.md\)/);
  });
});

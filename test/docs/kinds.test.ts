/** Every resource is documented wherever users look for it. */
import { definitions } from "../../provider/definitions";
import { documents, textOf } from "./support/markdown";

const guide = documents().filter((file) => file.startsWith("docs/"));
const isInAny = (files: readonly string[], text: string) => files.some((file) => textOf(file).includes(text));

describe.each(definitions.map(({ kind }) => kind))("%s", (kind) => {
  const constructed = `new agentgraph.${kind}(`;

  it("appears in the README", () => expect(textOf("README.md")).toContain(kind));
  it("is declared on a page of the guide", () => expect(isInAny(guide, constructed)).toBe(true));
  it("has an example and a link to the guide in the comment of its class", () => {
    const [comment = ""] = textOf("sdk/nodejs/index.ts")
      .split(`\nexport const ${kind} = `)
      .slice(0, -1)
      .join()
      .split("/**")
      .slice(-1);
    // Empty until `npm run generate` has written the class.
    expect(comment).toContain(constructed);
    expect(comment).toMatch(/@see \[.+\]\(node_modules\/pulumi-agentgraph\/docs\/.+\.md\)/);
  });
});

/** What stops `npm run docs`. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { inCheckout, testInCheckout } from "../../scripts/checkout";
import { ROOT } from "../support/markdown";

/** Runs a script that may import the modules in scripts/docs. */
const evaluate = (script: string) =>
  execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: join(ROOT, "scripts/docs"),
    encoding: "utf8",
  });

test("the build fails for a page of docs/ that is not in the navigation, and names it", () => {
  const script = `import { websitePages } from "./pages.ts";
    try { websitePages(["docs/thread.md", "docs/new.md"]) } catch (error) { console.log(error.message) }`;
  expect(evaluate(script)).toMatch(/^docs\/new\.md: not in the navigation\. Add a link to docs\/README\.md/);
});

test.each([
  ["a port that is none", ["--serve", "--port", "http"], /"http" is not a valid port\./],
  ["a folder with other files", ["--out", "docs"], /docs contains other files, which the build would delete\. Choose/],
])("`npm run docs` refuses %s", (_, args, message) =>
  inCheckout(async (checkout) => {
    checkout.write("docs/page.md", "");
    const { code, output } = await checkout.node(["scripts/run.mjs", "docs", ...args]);
    expect(output).toMatch(message);
    expect(code).toBe(1);
  })(),
);

testInCheckout("`npm run docs -- --serve` ends with the error if the build fails", async (checkout) => {
  checkout.install();
  checkout.program("npm", "echo no network; exit 1");
  const { code, output } = await checkout.node(["scripts/run.mjs", "docs", "--serve", "--port", "0"]);
  expect(output).toMatch(/no network\s+npm could not install VitePress\./);
  expect(code).toBe(1);
});

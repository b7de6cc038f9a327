import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Checkout, inCheckout, testInCheckout } from "../checkout";

/** A fake `go` that records its builds, writes programs that do nothing, and stores modules in the folder "modules". */
const GO = `
if [ "$1" = list ]; then echo "$HOME/modules"; exit; fi
while [ "$1" != "-o" ]; do shift; done
echo "\${2##*/} $3" >> "$HOME/builds"
printf '#!/bin/sh\\n' > "$2"
chmod +x "$2"`;

/** A fake `python3` that creates an environment whose Python records the arguments of pip. */
const PYTHON = `
if [ "$1" = --version ]; then echo Python 3.12.1; exit; fi
mkdir -p "$3/bin"
printf '#!/bin/sh\\necho "$*" >> "$HOME/pip"\\n' > "$3/bin/python"
chmod +x "$3/bin/python"`;

const HELPERS = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

function withTools(checkout: Checkout): void {
  checkout.program("pulumi", "echo v3.259.0");
  for (const helper of HELPERS) checkout.program(helper, "");
  checkout.program("go", GO);
  checkout.program("python3", PYTHON);
  checkout.write("modules/python/cmd/pulumi-language-python-exec", "the script");
}

const tool = (checkout: Checkout, name: string) => checkout.node(["scripts/run.mjs", "tool", name]);
const lastLine = ({ output }: { output: string }) => output.split("\n").at(-1) ?? "";
const builds = ({ root }: Checkout) => readFileSync(join(root, "builds"), "utf8").trim().split("\n");

describe("a tool that only tests need", () => {
  testInCheckout("is built once for two commands at the same time, and then comes from the cache", async (checkout) => {
    withTools(checkout);
    const name = "pulumi-language-yaml";
    const results = await Promise.all([tool(checkout, name), tool(checkout, name)]);
    const path = lastLine(await tool(checkout, name));
    expect(path).toMatch(/cache\/pulumi-language-yaml-[\d.]+-\w+-\w+\/pulumi-language-yaml$/);
    expect(results.map(lastLine)).toEqual([path, path]);
    expect(builds(checkout)).toEqual(["pulumi-language-yaml github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"]);
  });

  testInCheckout("is the host for Python together with the script that it starts", async (checkout) => {
    withTools(checkout);
    const path = lastLine(await tool(checkout, "pulumi-language-python"));
    expect(builds(checkout)).toEqual([
      "pulumi-language-python github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python",
    ]);
    expect(readFileSync(`${path}-exec`, "utf8")).toBe("the script");
  });

  test.each(["python", "yaml"])("is the host for %s next to the CLI if the installer provided it", (language) =>
    inCheckout(async (checkout) => {
      withTools(checkout);
      checkout.program(`pulumi-language-${language}`, "");
      const result = await tool(checkout, `pulumi-language-${language}`);
      expect(result.output).toBe(join(checkout.bin, `pulumi-language-${language}`));
    })(),
  );

  testInCheckout(
    "is the host for Java from toolchain/ even if there is another, since the SDK depends on its version",
    async (checkout) => {
      withTools(checkout);
      checkout.program("pulumi-language-java", "");
      expect(lastLine(await tool(checkout, "pulumi-language-java"))).toMatch(/cache\/pulumi-language-java-/);
      expect(builds(checkout)).toEqual([
        "pulumi-language-java github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java",
      ]);
    },
  );

  testInCheckout("is Maven if a Java compiler is on PATH, too", async (checkout) => {
    withTools(checkout);
    checkout.program("mvn", "");
    checkout.program("javac", "echo javac 10.0.2");
    expect((await tool(checkout, "maven")).output).toContain("require Maven and a Java Development Kit 11 or newer");
    checkout.program("javac", "echo javac 17.0.15");
    expect((await tool(checkout, "maven")).output).toBe(join(checkout.bin, "mvn"));
  });

  testInCheckout(
    "is built from its own source if toolchain/ contains it, and again only if that changes",
    async (checkout) => {
      withTools(checkout);
      await tool(checkout, "sdk-generator");
      await tool(checkout, "sdk-generator");
      expect(builds(checkout)).toEqual(["sdk-generator ."]);
      checkout.write("toolchain/sdk-generator/main.go", "package main // changed");
      await tool(checkout, "sdk-generator");
      expect(builds(checkout)).toHaveLength(2);
    },
  );

  testInCheckout("is Python with exactly the pinned packages", async (checkout) => {
    withTools(checkout);
    const python = lastLine(await tool(checkout, "python"));
    expect(await tool(checkout, "python")).toEqual({ code: 0, output: python });
    expect(python).toMatch(/cache\/python-3\.12\.1-[\da-f]{12}-\w+-\w+\/bin\/python$/);
    const pip = readFileSync(join(checkout.root, "pip"), "utf8");
    expect(pip).toBe(
      "-m pip install --quiet --no-deps --no-compile --requirement " +
        `${checkout.root}/toolchain/python/requirements.txt\n`,
    );
  });

  test.each([
    [
      "pulumi-language-python",
      "go",
      /^Without pulumi-language-python next to the Pulumi CLI, .* require Go, which is not installed\. Install Go/,
    ],
    ["sdk-generator", "go", /Generating SDKs requires Go, which is not installed\. Install Go/],
    ["python", "python3", /require Python 3\.10 or newer, and none is on PATH\. Install Python/],
  ])("%s cannot be provided without %s, and the error says what to do", (name, missing, sentence) =>
    inCheckout(async (checkout) => {
      withTools(checkout);
      await checkout.node(["-e", `fs.rmSync("bin/${missing}")`]);
      const { code, output } = await tool(checkout, name);
      expect(output).toMatch(sentence);
      expect(code).toBe(1);
      expect(existsSync(checkout.cache) ? readdirSync(checkout.cache) : []).toEqual([]);
    })(),
  );

  testInCheckout("must be one that exists", async (checkout) => {
    const { code, output } = await tool(checkout, "cobol");
    expect(output).toMatch(/^Usage: node scripts\/run\.mjs tool <chromium \| .*maven \| .*pulumi-language-java.*>$/);
    expect(code).toBe(1);
  });
});

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Checkout, inCheckout, testInCheckout } from "./checkout";

/** A fake `npm` that installs a package whose browser prints where its libraries are. */
const NPM = String.raw`
package="$3/node_modules/@sparticuz/chromium"
mkdir -p "$package"
echo '{ "type": "module", "main": "index.js" }' > "$package/package.json"
cat > "$package/index.js" <<'EOF'
import { writeFileSync } from "node:fs";
const program = process.env.TMPDIR + "/chromium";
export default { executablePath: () => writeFileSync(program, "#!/bin/sh\necho $LD_LIBRARY_PATH", { mode: 0o755 }) };
EOF`;

const pretend = (name: string, value: string) =>
  `Object.defineProperty(process, "${name}", { value: "${value}", configurable: true });`;

const chromium = (checkout: Checkout, platform = "linux", arch = "x64") =>
  checkout.node(["scripts/run.mjs", "tool", "chromium"], pretend("platform", platform) + pretend("arch", arch));

describe("the browser of the tests", () => {
  testInCheckout("is the first one on PATH that starts", async (checkout) => {
    checkout.program("chromium-browser", "echo 'Install the snap first.'; exit 1");
    checkout.program("google-chrome", "echo Google Chrome 150.0.1");
    expect((await chromium(checkout, "darwin", "arm64")).output).toBe(join(checkout.bin, "google-chrome"));
  });

  testInCheckout("is the one that CHROME_PATH names, which must start", async (checkout) => {
    checkout.program("chromium", "echo Chromium 150.0.1");
    checkout.program("other", "echo Chromium 151.0.1");
    checkout.env.CHROME_PATH = join(checkout.bin, "other");
    expect((await chromium(checkout)).output).toBe(join(checkout.bin, "other"));
    checkout.env.CHROME_PATH = join(checkout.bin, "missing");
    const { code, output } = await chromium(checkout);
    expect(output).toMatch(/ENOENT\s+CHROME_PATH is not a browser that starts here\. Install Chromium or Chrome/);
    expect(code).toBe(1);
  });

  testInCheckout("is installed from npm on Linux x64, once, and starts with its own libraries", async (checkout) => {
    checkout.program("npm", NPM);
    const { output } = await chromium(checkout);
    expect(output).toMatch(/^Chromium: installing [\d.]+ from npm \(about 70 MB, once\)/);
    const path = output.split("\n").at(-1) ?? "";
    expect(await chromium(checkout)).toEqual({ code: 0, output: path });
    const home = dirname(path);
    expect(basename(home)).toMatch(/^chromium-[\d.]+-linux-x64$/);
    expect(execFileSync(path, { encoding: "utf8" })).toBe(`${home}/files/al2023/lib\n`);
    expect(readdirSync(home).sort()).toEqual(["chromium", "files", "package-lock.json", "package.json"]);
  });

  testInCheckout("is not kept if it does not start, and the error says what to do", async (checkout) => {
    checkout.program("npm", NPM.replace("echo $LD_LIBRARY_PATH", "echo libc is missing; exit 127"));
    const { code, output } = await chromium(checkout);
    expect(output).toMatch(/libc is missing\s+The Chromium from npm does not start on this system\. Install Chromium/);
    expect(code).toBe(1);
    expect(readdirSync(checkout.cache)).toEqual([]);
  });

  test.each([
    ["darwin", "arm64"],
    ["linux", "arm64"],
  ])("cannot be installed on %s %s, and the error says what to do", (platform, arch) =>
    inCheckout(async (checkout) => {
      expect(await chromium(checkout, platform, arch)).toEqual({
        code: 1,
        output:
          `Tests in a browser require one on PATH, since npm has none for ${platform}-${arch}. Install Chromium ` +
          "or Chrome, or set CHROME_PATH to its program, and run the same command again.",
      });
    })(),
  );
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Checkout, testInCheckout } from "./checkout";

/** Creates the cache entry "thing" in 400 ms and records each creation in `fills`. */
const FILL = `
  const { inCache } = await script("setup/cache.mjs");
  const { appendFile, writeFile } = await import("node:fs/promises");
  const home = await inCache("thing", "Thing", async (draft) => {
    await appendFile("fills", "filled ");
    await writeFile(draft + "/first", "1");
    await new Promise((done) => setTimeout(done, 400));
    await writeFile(draft + "/second", "2");
  });
  console.log("at " + home);`;

const fills = ({ root }: Checkout) => readFileSync(join(root, "fills"), "utf8").trim().split(" ").length;

describe("the cache of the set-up", () => {
  testInCheckout("creates an entry once for two concurrent set-ups", async (checkout) => {
    const [one, two] = await Promise.all([checkout.command(FILL), checkout.command(FILL)]);
    for (const { code, output } of [one, two]) {
      expect(output).toContain(`at ${join(checkout.cache, "thing")}`);
      expect(code).toBe(0);
    }
    expect(fills(checkout)).toBe(1);
    expect(readdirSync(checkout.cache)).toEqual(["thing"]);
    expect(readdirSync(join(checkout.cache, "thing"))).toEqual(["first", "second"]);
  });

  testInCheckout("creates an entry again after a set-up was killed", async (checkout) => {
    const killed = checkout.command(FILL.replace("400", "60_000"), "", (pid) => {
      const soon = setInterval(() => {
        if (!existsSync(join(checkout.root, "fills"))) return;
        clearInterval(soon);
        process.kill(pid, "SIGKILL");
      }, 20);
    });
    await killed;
    expect(existsSync(join(checkout.cache, "thing"))).toBe(false);
    expect((await checkout.command(FILL)).code).toBe(0);
    expect(readdirSync(checkout.cache)).toEqual(["thing"]);
  });

  testInCheckout("keeps nothing of an entry whose creation failed", async (checkout) => {
    expect((await checkout.command(FILL.replace("setTimeout(done, 400)", "done(JSON.parse('{'))"))).code).not.toBe(0);
    expect(readdirSync(checkout.cache)).toEqual([]);
  });
});

import { join } from "node:path";
import { type Emulator, startEmulator } from "../../../emulator/src/index";
import { newFolder } from "../../../emulator/test/support/folder";
import { startPlatform } from "../../support/platform";
import { describeInBrowser } from "../../support/run/browser";

/** Runs `use` with a data folder and with functions that start and stop emulators on one port. */
async function withRestarts(use: (start: (data: string) => Promise<Emulator>) => Promise<void>) {
  const folder = newFolder();
  let running: Emulator | undefined;
  let port = 0;
  const start = async (name: string) => {
    running = await startEmulator({ port, data: join(folder, name) });
    port = Number(new URL(running.urls.controlPlane).port);
    return running;
  };
  try {
    await use(start);
  } finally {
    await running?.stop();
  }
}

describeInBrowser("the connection of the emulator's page", (withPage) => {
  test("is restored after a restart of the emulator, and the page shows what is true then", async () => {
    await withRestarts(async (start) => {
      const first = await start("first");
      await first.seed({ deployments: [{ name: "before" }] });
      await withPage(
        first.urls.controlPlane,
        async (page) => {
          const list = page.getByRole("list", { name: "Deployments" }).getByRole("link");
          const connection = page.getByRole("banner").getByRole("status");
          await list.filter({ hasText: "before" }).waitFor();
          await connection.filter({ hasText: /^Connected/ }).waitFor();
          await first.stop();
          await connection.filter({ hasText: "Disconnected" }).waitFor();
          expect(await list.filter({ hasText: "before" }).count()).toBe(1);
          const second = await start("second");
          await second.seed({ deployments: [{ name: "after" }] });
          await list.filter({ hasText: "after" }).waitFor();
          await connection.filter({ hasText: /^Connected/ }).waitFor();
          expect(await list.count()).toBe(1);
        },
        { expectedProblems: /ERR_CONNECTION_(REFUSED|RESET)|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/ },
      );
    });
  });

  test("follows a reset of the emulator", async () => {
    const platform = await startPlatform();
    await platform.emulator.seed({ deployments: [{ name: "before" }] });
    await withPage(platform.url, async (page) => {
      await page.getByRole("link").filter({ hasText: "before" }).waitFor();
      await platform.emulator.reset();
      await page.getByText("No deployments yet").waitFor();
    });
  });
});

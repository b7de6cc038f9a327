import type { Page } from "playwright-core";
import { type BusyPlatform, FAILURE, QUESTION } from "./platform";

/** Opens each view in turn, and calls `use` when it is complete. */
export async function forEachView(
  page: Page,
  platform: BusyPlatform,
  use: (view: string) => Promise<void>,
): Promise<void> {
  for (const [view, [path, ...texts]] of Object.entries(viewsOf(platform))) {
    // Another part after "#" alone would not load the page again.
    await page.goto("about:blank");
    await page.goto(`${platform.url}/#/${path}`);
    for (const text of texts) await page.getByText(text).filter({ visible: true }).first().waitFor();
    await use(view);
  }
}

/** The address of each view, and what it shows when it is complete. */
const viewsOf = ({
  failed,
  assistant,
  cron,
  thread,
  export: exportId,
  request,
}: BusyPlatform): Record<string, [string, ...string[]]> => ({
  deployments: ["deployments", "support-agent", "billing-agent"],
  deployment: [`deployments/${failed}`, `Reason: ${FAILURE}`],
  log: [`deployments/${failed}/log`, FAILURE],
  requestsOfDeployment: [`deployments/${failed}/requests`, "Update a deployment"],
  assistants: ["assistants", "Order desk"],
  assistant: [`assistants/${assistant}`, "Version 2", "Create an assistant"],
  crons: ["crons", "0 9 * * MON-FRI"],
  cron: [`crons/${cron}`, "Europe/Berlin", "Create a stateless cron"],
  threads: ["threads", QUESTION],
  thread: [`threads/${thread}`, QUESTION, "Create a thread"],
  exports: ["exports", "COMPLETED"],
  export: [`exports/${exportId}`, ".parquet", "Create an export"],
  requests: ["requests", "Create a deployment"],
  request: [`requests/${request}`, "Response body"],
  controls: ["controls", "Remove"],
});

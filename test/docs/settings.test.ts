/** docs/settings.md tells every setting. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentName } from "../../provider/servers";
import { settingsSchema } from "../../provider/settings";

const page = readFileSync(join(__dirname, "../../docs/settings.md"), "utf8");

it.each(Object.keys(settingsSchema.shape))("the setting %s has a row with its environment variable", (key) => {
  expect(page).toContain(`\n| \`${key}\` | \`${environmentName(key)}\` | `);
});

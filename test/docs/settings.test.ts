/** docs/settings.md lists every setting. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentName } from "../../provider/settings/servers";
import { settingsSchema } from "../../provider/settings/settings-schema";

const page = readFileSync(join(__dirname, "../../docs/settings.md"), "utf8");

it.each(Object.keys(settingsSchema.shape))("the setting %s has a row with its environment variable", (key) => {
  expect(page).toContain(`\n| \`${key}\` | \`${environmentName(key)}\` | `);
});

const defaults = Object.entries(settingsSchema.shape).flatMap(([key, { description = "" }]) => {
  const [, value] = /Default:? `?([^`]+?)`?\.$/.exec(description) ?? [];
  return value && value !== "false" ? [[key, value] as const] : [];
});

it.each(defaults)("the row of the setting %s names its default, %s", (key, value) => {
  const row = page.split("\n").find((line) => line.startsWith(`| \`${key}\` |`));
  expect(row?.replaceAll("`", "")).toMatch(new RegExp(`default:? ${value.replace(/\W/g, "\\$&")} \\|$`));
});

/** Lists in documents name exactly what the code has. */
import { routeNames } from "../../emulator/src/index";
import { functions } from "../../provider/functions/functions";
import { environmentName } from "../../provider/settings/servers";
import { settingsSchema } from "../../provider/settings/settings-schema";
import { textOf } from "./support/markdown";

test("the README lists every route name that --without accepts", () => {
  const [list = ""] = /Route names for `--without`:[\s\S]*?\n\n(?=[^|])/.exec(textOf("emulator/README.md")) ?? [];
  const listed = [...list.matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name).filter((name) => name !== "--without");
  expect(listed.sort()).toEqual(routeNames().sort());
});

test("docs/functions.md lists every function", () => {
  const names = functions.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !textOf("docs/functions.md").includes(`\`${name}\``))).toEqual([]);
});

const page = textOf("docs/settings.md");

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

/** docs/settings.json: every setting, with the JSON Schema of its value. */
import { z } from "zod";
import { descriptionOf } from "../../../dist/provider/schema/model.js";
import { environmentName } from "../../../dist/provider/settings/servers.js";
import {
  isSecretSetting,
  schemaOf,
  settingKeys,
  settingsSchema,
} from "../../../dist/provider/settings/settings-schema.js";

const DEFAULT = / ?Default: (.+)\.$/;

const settings = settingKeys.map((name) => {
  const description = descriptionOf(settingsSchema.shape[name], name);
  const { $schema: _, ...schema } = z.toJSONSchema(schemaOf(name), { io: "input" });
  const [, standard] = DEFAULT.exec(description) ?? [];
  return {
    name,
    stackConfiguration: `agentgraph:${name}`,
    environmentVariable: environmentName(name),
    ...(isSecretSetting(name) && { secret: true }),
    schema,
    ...(standard !== undefined && { default: standard }),
    description: description.replace(DEFAULT, ""),
  };
});

export const text = `${JSON.stringify({ version: 1, settings }, null, 2)}\n`;

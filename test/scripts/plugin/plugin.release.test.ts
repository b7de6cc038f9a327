/** The executable of the plugin; test/e2e/packages/release-install.release.test.ts runs `pulumi package add`. */
import schema from "../../../plugin/schema.json";
import { pluginExecutable } from "../../e2e/support/packages/plugin";
import { runPlugin } from "./plugin-process";

// The first build of the executable takes long on a busy machine.
jest.setTimeout(300_000);

test("the executable returns the schema and exits when its standard input ends, with an empty PATH", async () => {
  expect(await runPlugin(await pluginExecutable(), { PATH: "" })).toEqual({ answered: schema, code: 0 });
});

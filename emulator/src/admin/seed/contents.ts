import type { Context } from "../../runtime/context";
import { lazyModule } from "../../runtime/lazy";
import { plantFirstSeed } from "./seed";

const demo = lazyModule(() => require("./demo/index") as typeof import("./demo/index"));

/** Seeds the initial data of a new or reset emulator: the default seed and, with `--demo`, the demo. */
export function plantContents(context: Context): void {
  plantFirstSeed(context);
  if (context.settings.demo) demo().plantDemo(context);
}

import type { Context } from "../../runtime/context";
import { lazyModule } from "../../runtime/lazy";
import { plantFirstSeed } from "./seed";

const demo = lazyModule(() => require("./demo/index") as typeof import("./demo/index"));

/** What an emulator begins with, and has again after a reset: the first seed and, with `--demo`, the demo. */
export function plantContents(context: Context): void {
  plantFirstSeed(context);
  if (context.settings.demo) demo().plantDemo(context);
}

import type { Context } from "../../runtime/context";
import { lazyModule } from "../../runtime/lazy";
import { seedDefaults } from "./seed";

const demo = lazyModule(() => require("./demo/index") as typeof import("./demo/index"));

/** Seeds the initial data of a new or reset emulator: the default seed and, with `--demo`, the demo. */
export function seedInitialData(context: Context): void {
  seedDefaults(context);
  if (context.settings.demo) demo().seedDemo(context);
}

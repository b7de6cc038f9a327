import type { Context } from "../../runtime/context";
import { lazyModule } from "../../runtime/lazy";
import type { BucketAccess } from "../buckets";
import { seedDefaults } from "./seed";

const demo = lazyModule(() => require("./demo/index") as typeof import("./demo/index"));

/** Seeds the initial data of a new or reset emulator: the default seed and, with `--demo`, the demo. */
export function seedInitialData(context: Context): void {
  seedDefaults(context);
  if (context.settings.demo) demo().seedDemo(context);
}

/** Seeds what needs the address of the bucket, which is known once it listens: with `--demo`, the exports. */
export function seedBucketData(context: Context, bucket: BucketAccess): void {
  if (context.settings.demo) demo().seedExports(context, bucket);
}

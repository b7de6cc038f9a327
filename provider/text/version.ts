/**
 * The version of this package, of the plugin and of the generated SDKs. What runs in the native provider names it, so
 * that the engine starts one provider for all of a program. `scripts/release/check-version.ts` compares it with
 * package.json.
 */
export const VERSION = "0.1.0";

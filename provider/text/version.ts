/**
 * The version of this package, the plugin and the generated SDKs (scripts/release/check-version.ts). What runs in the
 * native provider names it, so that the engine starts one provider for all of a program.
 */
export const VERSION = "0.1.0";

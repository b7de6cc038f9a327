/**
 * What components use of the Pulumi SDK. The bundle contains this file in place of its index, which also loads the
 * Automation API, the TypeScript compiler and more: 8.6 MB, and 0.2 s at each start. scripts/plugin/bundle.ts replaces
 * it.
 */
import * as config from "@pulumi/pulumi/runtime/config";
import * as invoke from "@pulumi/pulumi/runtime/invoke";
import * as settings from "@pulumi/pulumi/runtime/settings";

export * as asset from "@pulumi/pulumi/asset";
export * from "@pulumi/pulumi/errors";
export * as log from "@pulumi/pulumi/log";
export * from "@pulumi/pulumi/metadata";
export * from "@pulumi/pulumi/output";
export * from "@pulumi/pulumi/resource";

export const runtime = { ...config, ...invoke, ...settings };

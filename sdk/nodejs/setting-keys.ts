/**
 * The settings of a program, by key: no value is read.
 * Does not import the Pulumi SDK, since `agentgraph doctor` uses this module too.
 */
import * as issues from "../../provider/settings/setting-issues";
import { settings } from "./resources";

export type SettingKey = keyof typeof settings;

export const settingKeys = Object.keys(settings) as SettingKey[];
export const secretSettings: ReadonlySet<string> = new Set(settingKeys.filter((key) => settings[key] === "secret"));

export const settingIssues = (names: issues.SettingNames): issues.SettingIssue[] =>
  issues.settingIssues(names, settings);

/** Describes an argument of an explicit Provider that does not exist. */
export const describeUnknownArgument = (key: string): string => issues.describeUnknownArgument(key, settings);

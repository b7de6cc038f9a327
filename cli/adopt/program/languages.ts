/** The languages by the value of --language. */
import type { LanguageName } from "../options";
import type { Language } from "./language";
import { python } from "./python";
import { typescript } from "./typescript";
import { yaml } from "./yaml";

export const languages: Readonly<Record<LanguageName, Language>> = { typescript, python, yaml };

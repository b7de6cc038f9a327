import { PolicyPack } from "@pulumi/policy";
import { digestPinnedImages, minimumScale } from "./production";
import { protectedDeployments } from "./protection";
import { noPlainTextSecrets } from "./secrets";
import { verifiedRollouts } from "./verification";

const production = [digestPinnedImages, minimumScale, verifiedRollouts, protectedDeployments];

new PolicyPack("agents", { policies: [noPlainTextSecrets, ...production] });

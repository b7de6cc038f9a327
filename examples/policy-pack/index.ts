import { PolicyPack } from "@pulumi/policy";
import { digestPinnedImages, minimumScale } from "./production";
import { protectedDeployments } from "./protection";
import { noPlainTextSecrets } from "./secrets";

new PolicyPack("agents", { policies: [noPlainTextSecrets, digestPinnedImages, minimumScale, protectedDeployments] });

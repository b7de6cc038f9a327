/** Writes the public types of the package to docs/api/, so that a review shows every change of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const silent = { default: { logLevel: "none" } };

/** Returns whether the report in docs/api equals the types in dist, and replaces it if `isUpdate`. */
export function checkApiReport(isUpdate) {
  const temporary = mkdtempSync(join(tmpdir(), "agentgraph-api-"));
  try {
    const configObject = {
      projectFolder: ROOT,
      mainEntryPointFilePath: join(ROOT, "dist/sdk/index.d.ts"),
      compiler: {
        overrideTsconfig: {
          compilerOptions: { module: "nodenext", target: "es2023", strict: true, skipLibCheck: true, types: ["node"] },
          files: [join(ROOT, "dist/sdk/index.d.ts")],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: "pulumi-agentgraph.api.md",
        reportFolder: join(ROOT, "docs/api"),
        reportTempFolder: temporary,
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      // The compiler, the linter and TypeDoc check the rest.
      messages: {
        compilerMessageReporting: silent,
        extractorMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    };
    const config = ExtractorConfig.prepare({
      configObject,
      configObjectFullPath: undefined,
      packageJsonFullPath: join(ROOT, "package.json"),
    });
    const { apiReportChanged } = Extractor.invoke(config, {
      localBuild: isUpdate,
      messageCallback: (message) => {
        message.handled = true;
      },
    });
    return !apiReportChanged;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

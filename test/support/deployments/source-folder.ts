/** Folders as sources of deployments. They are removed after each test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PropertyMap } from "../../../provider/schema/schema";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder with these files. */
export function createFolder(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "agentgraph-test-"));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Creates a folder that can be built, with these files besides. */
export const createAgentFolder = (files: Record<string, string> = {}): string =>
  createFolder({ "agentgraph.json": '{"graphs":{"agent":"./agent.py:graph"}}', ".gitignore": "*.log\n", ...files });

/** A deployment of uploaded content. */
export const internalSource = (overrides: PropertyMap = {}, revision: PropertyMap = {}): PropertyMap => ({
  ...{ source: "internal_source", name: "agent", ...overrides },
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json", ...revision },
});

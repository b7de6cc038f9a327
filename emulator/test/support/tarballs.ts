import { gzipSync } from "node:zlib";
import { type ApiResponse, type Body, type Client, docker } from "./emulator";

/** Writes a ustar archive from paths and contents, independently of the code that reads archives. */
export function tar(files: Record<string, string>): Buffer {
  const entries = Object.entries(files).map(([path, text]) => tarEntry(path, text));
  return Buffer.concat([...entries, Buffer.alloc(1024)]);
}

/** Returns one entry of an archive: its header and its padded content. `type` "0" is a file, "x" an extended header. */
export function tarEntry(path: string, text: string, type = "0"): Buffer {
  const content = Buffer.from(text);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return Buffer.concat([header(path, content.length, type), content, padding]);
}

/** Returns an extended header with one record. */
export function paxEntry(key: string, value: string): Buffer {
  const record = ` ${key}=${value}\n`;
  const length = record.length + String(record.length + 2).length;
  return tarEntry("extended", `${length}${record}`, "x");
}

function header(path: string, size: number, type: string): Buffer {
  const block = Buffer.alloc(512);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  block.write(path, 0, 100);
  block.write(octal(0o644, 7), 100);
  block.write(octal(size, 11), 124);
  block.write(octal(0, 11), 136);
  block.write(`        ${type}`, 148);
  block.write("ustar\u000000", 257);
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    )} `,
    148,
  );
  return block;
}

export const graphConfig = JSON.stringify({ graphs: { agent: "./agent.py:graph" }, dependencies: ["."] });

/** Returns a tarball that can be built. */
export function tarball(files: Record<string, string> = {}): Buffer {
  return gzipSync(tar({ "agentgraph.json": graphConfig, ...files }));
}

/** Returns the body of a deployment whose source is uploaded. */
export function internalSource(
  name: string,
  source_config: object = {},
  path = "agentgraph.json",
): Record<string, unknown> {
  const source_revision_config = { agentgraph_config_path: path };
  return docker(name, { source: "internal_source", source_config, source_revision_config });
}

/** Uploads a tarball to a signed URL and returns the status. */
export async function putTarball(url: string, content: Buffer, headers: Record<string, string> = {}): Promise<number> {
  const body = new Uint8Array(content);
  const allHeaders = new Headers({ "content-type": "application/gzip" });
  for (const [name, value] of Object.entries(headers)) allHeaders.set(name, value);
  return (await fetch(url, { method: "PUT", headers: allHeaders, body })).status;
}

/** Uploads a source in three steps: request a URL, PUT, PATCH. Returns the response to the PATCH. */
export async function uploadSource(
  client: Client,
  { id }: Body,
  content: Buffer,
  change: object = {},
): Promise<ApiResponse> {
  const { upload_url, object_path } = (await client.post(`/deployments/${id}/upload-url`)).body;
  expect(await putTarball(upload_url, content)).toBe(200);
  const source_revision_config = { source_tarball_path: object_path };
  return client.patch(`/v2/deployments/${id}`, { source_revision_config, ...change });
}

/** Returns the messages of a log of the latest revision. */
export async function logMessages(client: Client, id: string, type: string, filters = ""): Promise<string[]> {
  const { latest_revision_id } = (await client.get(`/v2/deployments/${id}`)).body;
  const path = `/v2/deployments/${id}/revisions/${latest_revision_id}/logs?type=${type}&limit=1000${filters}`;
  return (await client.get(path)).body.logs.map((line) => line.message);
}

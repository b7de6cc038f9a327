/** The plugin as a process, without the engine. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaRequest } from "@pulumi/pulumi/proto/provider_pb";

/** Starts a plugin, requests its schema, and ends its standard input. @returns The schema and the exit code. */
export async function runPlugin(program: string, env: NodeJS.ProcessEnv): Promise<{ answered: unknown; code: number }> {
  const plugin: ChildProcess = spawn(program, ["127.0.0.1:1"], { env, stdio: ["pipe", "pipe", "inherit"] });
  const started = once(plugin.stdout as NodeJS.ReadableStream, "data");
  const ended = once(plugin, "exit").then(([code]) =>
    Promise.reject(new Error(`${program} exited with code ${code}.`)),
  );
  const [port] = await Promise.race([started, ended]);
  const answered = JSON.parse(await requestSchema(`127.0.0.1:${String(port).trim()}`));
  const exited = once(plugin, "exit");
  plugin.stdin?.end();
  const [code] = await exited;
  return { answered, code };
}

async function requestSchema(address: string): Promise<string> {
  const client = new ResourceProviderClient(address, grpc.credentials.createInsecure());
  const text = await new Promise<string>((resolve, reject) => {
    client.getSchema(new GetSchemaRequest(), (error, response) =>
      error ? reject(error) : resolve(response.getSchema()),
    );
  });
  client.close();
  return text;
}

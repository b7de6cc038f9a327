import type { Client } from "./emulator";

/** Returns the errors of a rejected request: the path in the body, and the message. */
export async function errorsOf(client: Client, method: string, path: string, body: object): Promise<string[]> {
  const response = await client.send(method, path, body);
  expect(response.status).toBe(422);
  return response.body.detail.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg.replace("Value error, ", "")}`);
}

/** Expects the error of a rejected request. */
export function expectError(response: object, status: number, detail: unknown): void {
  expect(response).toMatchObject({ status, body: { detail } });
}

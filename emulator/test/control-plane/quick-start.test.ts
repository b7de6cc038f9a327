import { startEmulator } from "../../src/index";

// API `1A`, step by step, with nothing but fetch.
// @covers 1A:create, 1A.1, 1A.2, 1A.3, 1A.4, 4A.POST /v2/deployments
test("the four steps of the quick start work with plain fetch on a strict server", async () => {
  const emulator = await startEmulator({ strict: true });
  await emulator.clock.freeze();
  const base = `${emulator.urls.controlPlane}/v2/deployments`;
  const headers = { "X-Api-Key": "a-key", "Content-Type": "application/json" };
  try {
    const body = {
      name: "my-agent",
      source: "external_docker",
      source_config: {},
      source_revision_config: { image_uri: "docker.io/me/agent:1" },
      secrets: [{ name: "MODEL_KEY", value: "hidden" }],
    };
    const created = await fetch(base, { method: "POST", headers, body: JSON.stringify(body) });
    expect(created.status).toBe(201);
    const { id, latest_revision_id } = (await created.json()) as { id: string; latest_revision_id: string };

    const read = await fetch(`${base}/${id}`, { headers });
    expect(await read.json()).toMatchObject({ id, name: "my-agent", latest_revision_id });

    const readStatus = async () => {
      const response = await fetch(`${base}/${id}/revisions/${latest_revision_id}`, { headers });
      return ((await response.json()) as { status: string }).status;
    };
    const statuses = new Set<string>();
    for (let elapsedMs = 0; !statuses.has("DEPLOYED") && elapsedMs < 60_000; elapsedMs += 100) {
      statuses.add(await readStatus());
      await emulator.clock.advance(100);
    }
    expect([...statuses]).toEqual(["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"]);

    const change = { source_revision_config: { image_uri: "docker.io/me/agent:2" } };
    const patched = await fetch(`${base}/${id}`, { method: "PATCH", headers, body: JSON.stringify(change) });
    expect(patched.status).toBe(200);
    const after = (await patched.json()) as { latest_revision_id: string };
    expect(after.latest_revision_id).not.toBe(latest_revision_id);
  } finally {
    await emulator.stop();
  }
});

import type { PropertyMap } from "../../provider/schema/schema";

/** A deployment from a container image, with what most tests want. */
export function docker(change: PropertyMap = {}): PropertyMap {
  return { source: "external_docker", name: "agent", ...image("1.0.0"), ...change };
}

export const image = (tag: string) => ({ sourceRevisionConfig: { imageUri: `registry.example.com/agent:${tag}` } });
export const spec = (resourceSpec: PropertyMap) => ({ sourceConfig: { resourceSpec } });

/** The listener that every emulator has. */
export const listener = "22222222-2222-4222-8222-222222222222";

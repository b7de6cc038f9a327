import { Hono } from "hono";
import { isBucketName } from "../bucket/operations/buckets";
import { iso } from "../bucket/responses";
import type { BucketRoom } from "../bucket/service";
import { ApiError } from "../runtime/errors";

/** `/_emulator/buckets`: what a test does to buckets behind everybody's back, without a signature. */
export function bucketAdmin({ catalogue }: BucketRoom): Hono {
  const app = new Hono();
  app.get("/", (http) => {
    const buckets = catalogue.buckets().map(({ name, createdAt }) => {
      return { name, created_at: iso(createdAt), ...catalogue.measure(name) };
    });
    return http.json({ buckets });
  });
  app.put("/:name", (http) => {
    const name = http.req.param("name");
    if (!isBucketName(name))
      throw new ApiError(400, "A bucket has 3 to 63 lower-case letters, digits, hyphens and dots");
    if (!catalogue.hasBucket(name)) catalogue.addBucket(name);
    return http.json({ name }, 201);
  });
  app.delete("/:name", (http) => {
    const name = http.req.param("name");
    if (!catalogue.hasBucket(name)) throw new ApiError(404, `There is no bucket ${name}`);
    catalogue.removeWithAll(name);
    return http.body(null, 204);
  });
  return app;
}

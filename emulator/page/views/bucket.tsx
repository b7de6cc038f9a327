import { useAdmin } from "../data/api";
import type { Buckets, Destination } from "../data/types";
import { Copyable } from "../ui/copy";
import { formatCount } from "../ui/format";
import { Empty, Properties, Text } from "../ui/text";

/** How to access the bucket of the emulator, and where exports write to. */
export function BucketSection({ version }: { version: unknown }) {
  const bucket = useAdmin<Buckets>("/buckets", version).data;
  const destinations = useAdmin<{ destinations: Destination[] }>("/destinations", version).data?.destinations ?? [];
  return (
    <section aria-labelledby="bucket">
      <h3 id="bucket">Bucket and destinations</h3>
      <p class="hint">
        The emulator contains an object store, which exports can write to and any S3 client can read with these values.
      </p>
      {bucket && (
        <Properties
          of={{
            "Endpoint URL": <Copyable value={bucket.url} name="endpoint URL" />,
            "Access key ID": <Copyable value={bucket.access_key_id} name="access key ID" />,
            "Secret access key": <Copyable value={bucket.secret_access_key} name="secret access key" secret />,
            Buckets: bucket.buckets
              .map(({ name, objects }) => `${name} (${formatCount(objects, "object")})`)
              .join(", "),
          }}
        />
      )}
      {destinations.length === 0 ? (
        <Empty>No destinations yet. A program creates them with the resource BulkExportDestination.</Empty>
      ) : (
        <ul class="faults" aria-label="Destinations">
          {destinations.map(({ id, display_name, config }) => (
            <li key={id} class="card">
              <Text class="name">{display_name}</Text>
              <Text class="minor">
                {[config.endpoint_url, config.bucket_name, config.prefix].filter(Boolean).join(" / ")}
              </Text>
              <Copyable value={id} name={`ID of ${display_name}`} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

import { useAdmin } from "../data/api";
import { useLive } from "../data/live";
import type { Buckets, Destination } from "../data/types";
import { Copyable } from "../ui/copy";
import { formatCount } from "../ui/format";
import { Empty, Properties, Section, Text } from "../ui/text";

export function BucketSection() {
  const { lastRequest } = useLive();
  const bucket = useAdmin<Buckets>("/buckets", lastRequest).data;
  const destinations = useAdmin<{ destinations: Destination[] }>("/destinations", lastRequest).data?.destinations ?? [];
  return (
    <Section title="Bucket and destinations">
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
            <li key={id} class="row card">
              <Text class="name">{display_name}</Text>
              <Text class="minor">
                {[config.endpoint_url, config.bucket_name, config.prefix].filter(Boolean).join(" / ")}
              </Text>
              <Copyable value={id} name={`ID of ${display_name}`} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

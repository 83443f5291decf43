/** Restores deleted objects of a versioned bucket by removing their delete markers. */
import {
  type DeleteMarkerEntry,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type ObjectVersion,
  type S3Client,
} from '@aws-sdk/client-s3';

/** A delete marker to remove, which restores the object. */
export interface Undeletion {
  readonly key: string;
  readonly marker: string;
}

/**
 * The delete markers to remove, so that objects that existed at the moment and are deleted now exist again. Objects that were
 * overwritten or created since stay unchanged.
 */
export function undeletions(
  versions: readonly ObjectVersion[],
  markers: readonly DeleteMarkerEntry[],
  moment: Date,
): Undeletion[] {
  const then = new Map<string, { readonly at: number; readonly wasThere: boolean }>();
  const note = (entry: ObjectVersion | DeleteMarkerEntry, wasThere: boolean) => {
    const [key, at] = [entry.Key ?? '', timeOf(entry)];
    // Times are whole seconds. If a version and a marker have the same time, the marker is newer.
    const isLater = at > (then.get(key)?.at ?? -1) || (at === then.get(key)?.at && !wasThere);
    if (at <= moment.getTime() && isLater) then.set(key, { at, wasThere });
  };
  for (const version of versions) note(version, true);
  for (const marker of markers) note(marker, false);
  return markers.flatMap(({ IsLatest, Key = '', VersionId = '' }) =>
    IsLatest && then.get(Key)?.wasThere ? [{ key: Key, marker: VersionId }] : [],
  );
}

const timeOf = ({ LastModified }: { readonly LastModified?: Date | undefined }): number =>
  LastModified?.getTime() ?? 0;

/** @param apply false: counts what would be done. @returns how many objects */
export async function restoreObjects(
  client: S3Client,
  { bucket, prefix, moment, apply }: { bucket: string; prefix: string; moment: Date; apply: boolean },
): Promise<number> {
  const { versions, markers } = await allOf(client, bucket, prefix);
  const todo = undeletions(versions, markers, moment);
  if (apply) {
    for (const { key, marker } of todo)
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: marker }));
  }
  return todo.length;
}

/**
 * Erases every version of every object under a prefix, for good, as a request under data protection law demands.
 * @returns the number of versions and markers
 */
export async function eraseVersions(
  client: S3Client,
  { bucket, prefix, apply }: { bucket: string; prefix: string; apply: boolean },
): Promise<number> {
  const { versions, markers } = await allOf(client, bucket, prefix);
  // Markers last: removing a marker first would restore its object if the run were interrupted.
  const all = [...versions, ...markers];
  if (apply) {
    for (const { Key, VersionId } of all)
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key, VersionId }));
  }
  return all.length;
}

async function allOf(client: S3Client, bucket: string, prefix: string) {
  const [versions, markers]: [ObjectVersion[], DeleteMarkerEntry[]] = [[], []];
  for await (const page of pagesOf(client, bucket, prefix)) {
    versions.push(...page.versions);
    markers.push(...page.markers);
  }
  return { versions, markers };
}

/** The SDK has no paginator for versions. */
async function* pagesOf(client: S3Client, Bucket: string, Prefix: string) {
  let from: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | null = {};
  while (from !== null) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket, Prefix, ...from }),
    );
    yield { versions: page.Versions ?? [], markers: page.DeleteMarkers ?? [] };
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    from = page.IsTruncated ? { KeyMarker, VersionIdMarker } : null;
  }
}

/** Brings back objects that were deleted, from the versions that their bucket keeps: the marker of the deletion is removed. */
import {
  type DeleteMarkerEntry,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type ObjectVersion,
  type S3Client,
} from '@aws-sdk/client-s3';

/** A marker to remove, after which the object is there again. */
export interface Undeletion {
  readonly key: string;
  readonly marker: string;
}

/**
 * What has to be done so that what was there at that moment, and is deleted now, is there again. What was overwritten or
 * created since stays as it is.
 */
export function undeletions(
  versions: readonly ObjectVersion[],
  markers: readonly DeleteMarkerEntry[],
  moment: Date,
): Undeletion[] {
  const then = new Map<string, { readonly at: number; readonly wasThere: boolean }>();
  const note = (entry: ObjectVersion | DeleteMarkerEntry, wasThere: boolean) => {
    const [key, at] = [entry.Key ?? '', timeOf(entry)];
    // Times are whole seconds: of a version and a marker of the same, the marker came later.
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
 * Deletes every version of what lies under a prefix, former ones included, for good: what the law asks for, and nobody brings
 * back. @returns how many versions and markers
 */
export async function eraseVersions(
  client: S3Client,
  { bucket, prefix, apply }: { bucket: string; prefix: string; apply: boolean },
): Promise<number> {
  const { versions, markers } = await allOf(client, bucket, prefix);
  // Markers go last: were it cut short before, what it has not come to would be there again.
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

/** Reads samples of each speaker's speech, from the sound that the ingest extracted. */
import { byteRange, samplesOf } from '../../../media/ffmpeg/extract-sound.ts';
import { type MediaObjects, speechKey } from '../../../platform/objects/media-objects.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import type { TenantId } from '../../../shared/ids.ts';
import type { Segment } from '../../../shared/segments.ts';
import { speakerOf } from '../rules/dub-plan.ts';

/** Returns the longest speech of a speaker, up to a duration: 16 kHz, mono. Empty if the extracted sound was deleted. */
export type OriginalSpeech = (speaker: string | null, most_ms: number) => Promise<Int16Array>;

/** @param heard the transcribed segments */
export async function originalSpeech(
  { asset_id, ingest_job_id }: StoredAsset,
  heard: readonly Segment[],
  objects: MediaObjects,
  tenant: TenantId,
): Promise<OriginalSpeech> {
  const key = ingest_job_id === null ? null : speechKey(tenant, asset_id, ingest_job_id);
  const size = key === null ? null : await objects.size(key);
  if (key === null || size === null) return async () => new Int16Array(0);
  return async (speaker, most_ms) => {
    const own = heard.filter((segment) => speakerOf(segment) === speaker && lengthOf(segment) > 0);
    const pieces: Uint8Array[] = [];
    let left_ms = most_ms;
    for (const segment of own.toSorted((one, other) => lengthOf(other) - lengthOf(one))) {
      if (left_ms <= 0) break;
      const taken_ms = Math.min(left_ms, lengthOf(segment));
      const { first, last } = byteRange(segment.start_ms, segment.start_ms + taken_ms);
      // A person can write a segment after the end of the sound, because the picture can be longer.
      if (first >= size) continue;
      pieces.push(await objects.readRange(key, first, last));
      left_ms -= taken_ms;
    }
    return samplesOf(Buffer.concat(pieces));
  };
}

const lengthOf = ({ start_ms, end_ms }: Segment) => end_ms - start_ms;

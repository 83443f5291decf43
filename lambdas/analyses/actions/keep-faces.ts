/** Makes faces of what samples of a video showed, and keeps them with a picture of each. */
import type { FaceCrop, Faces } from '../../../engines/faces/port.ts';
import { derivedKey, type MediaObjects } from '../../../platform/objects/media-objects.ts';
import { derivedId } from '../../../shared/derived-ids.ts';
import type { AssetId, JobId } from '../../../shared/ids.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { AnalysisResults } from '../records/analysis-results.ts';
import { type FaceSample, type FaceTrack, faceTracks, type ShownFace } from '../rules/face-tracks.ts';
import { type FoundFace, facesOf, keepFaceIds } from '../rules/faces.ts';
import type { Span } from '../rules/sampled-shots.ts';
import { separatePersons } from '../rules/separate-persons.ts';

export interface SeenFaces<Seen extends ShownFace> {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
  /** By time. */
  readonly samples: readonly FaceSample<Seen>[];
  readonly shots: readonly Span[];
  /** Between two samples. */
  readonly every_ms: number;
  /** The JPEG that was cut out of a face; null where none was. */
  readonly cropOf: (face: Seen) => Promise<Buffer | null>;
}

export interface Keeping {
  readonly tenant: TenantId;
  readonly engine: Pick<Faces, 'tellApart'>;
  readonly objects: MediaObjects;
  readonly results: AnalysisResults;
  readonly signal?: AbortSignal | undefined;
  /** Counts the pictures that the engine was asked to compare, once a job. */
  readonly meter: (pictures: number) => Promise<void>;
}

/** How many faces there are. A repeat of the same job ends in the same state. Throws a JobError of the engine. */
export async function keepFaces<Seen extends ShownFace>(
  seen: SeenFaces<Seen>,
  { tenant, engine, objects, results, signal, meter }: Keeping,
): Promise<number> {
  const { asset_id, job_id, samples, shots, every_ms, cropOf } = seen;
  const all = faceTracks(samples, shots, every_ms);
  let asked = 0;
  const { tracks, numbers } = await toldApart(all, cropOf, engine, signal, (pictures) => {
    asked += pictures;
  });
  if (asked > 0) await meter(asked);
  const persons = separatePersons(tracks, numbers);
  const found = facesOf(tracks, persons, (person) => derivedId(job_id, person));
  const faces: FoundFace[] = [];
  for (const { best, ...face } of found) {
    const jpeg = await cropOf(best.face);
    const thumbnail = jpeg && derivedKey(tenant, asset_id, 'faces', job_id, `${face.face_id}.jpeg`);
    if (jpeg && thumbnail) await objects.write(thumbnail, jpeg, 'image/jpeg');
    faces.push({ ...face, thumbnail });
  }
  const before = await results.list(asset_id, 'faces');
  await results.writeList(asset_id, 'faces', job_id, keepFaceIds(faces, before));
  return faces.length;
}

/** The tracks of which the engine says whose they are, by time: where it has to leave some out, those that are seen least. */
async function toldApart<Seen extends ShownFace>(
  all: readonly FaceTrack<Seen>[],
  cropOf: SeenFaces<Seen>['cropOf'],
  engine: Keeping['engine'],
  signal: AbortSignal | undefined,
  asked: (pictures: number) => void,
) {
  const longestFirst = all.toSorted((one, other) => other.seen.length - one.seen.length);
  const told = await engine.tellApart(await cropsOf(longestFirst, cropOf), signal, asked);
  const numberOf = new Map(longestFirst.map((track, at) => [track, told[at] ?? null]));
  const tracks = all.filter((track) => numberOf.get(track) !== null);
  return { tracks, numbers: tracks.map((track) => numberOf.get(track)!) };
}

/** So many are read at a time: hours of video have thousands. */
const READ_AT_ONCE = 8;

/** An engine that has likenesses needs no pictures. */
async function cropsOf<Seen extends ShownFace>(
  tracks: readonly FaceTrack<Seen>[],
  cropOf: SeenFaces<Seen>['cropOf'],
) {
  const crops: FaceCrop[] = [];
  for (let from = 0; from < tracks.length; from += READ_AT_ONCE) {
    const some = tracks.slice(from, from + READ_AT_ONCE).map(async ({ likeness, best }) => {
      const jpeg = likeness === null ? await cropOf(best.face) : null;
      return { jpeg: jpeg ?? Buffer.alloc(0), likeness };
    });
    crops.push(...(await Promise.all(some)));
  }
  return crops;
}

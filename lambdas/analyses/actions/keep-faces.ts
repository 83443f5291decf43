/** Groups the faces in samples of a video by person, and stores them with a picture of each. */
import type { FaceCrop, Faces } from '../../../engines/faces/port.ts';
import { derivedKey, type MediaObjects } from '../../../platform/objects/media-objects.ts';
import { defined } from '../../../shared/checked-access.ts';
import { derivedId } from '../../../shared/derived-ids.ts';
import type { AssetId, JobId, TenantId } from '../../../shared/ids.ts';
import type { AnalysisResults } from '../records/analysis-results.ts';
import { type FaceSample, type FaceTrack, faceTracks, type ShownFace } from '../rules/face-tracks.ts';
import { type FoundFace, facesOf, keepFaceIds } from '../rules/faces.ts';
import type { Span } from '../rules/sampled-shots.ts';
import { separatePersons } from '../rules/separate-persons.ts';

interface SeenFaces<Seen extends ShownFace> {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
  /** In order of time. */
  readonly samples: readonly FaceSample<Seen>[];
  readonly shots: readonly Span[];
  /** Interval between samples, ms. */
  readonly every_ms: number;
  /** The cropped JPEG of a face; null if it has no picture. */
  readonly cropOf: (face: Seen) => Promise<Buffer | null>;
}

interface Keeping {
  readonly tenant: TenantId;
  readonly engine: Pick<Faces, 'tellApart'>;
  readonly objects: MediaObjects;
  readonly results: AnalysisResults;
  readonly signal?: AbortSignal | undefined;
  /** Meters the pictures that the engine compared, once for each job. */
  readonly meter: (pictures: number) => Promise<void>;
}

/** Stores the faces and returns their number. A repeat by the same job gives the same result. */
export async function keepFaces<Seen extends ShownFace>(
  seen: SeenFaces<Seen>,
  { tenant, engine, objects, results, signal, meter }: Keeping,
): Promise<number> {
  const { asset_id, job_id, samples, shots, every_ms, cropOf } = seen;
  const all = faceTracks(samples, shots, every_ms);
  // The longest tracks come first, because an engine with a limit leaves out the last ones.
  const longestFirst = all.toSorted((one, other) => other.seen.length - one.seen.length);
  let compared = 0;
  const numbers = await engine.tellApart(await cropsOf(longestFirst, cropOf), signal, (pictures) => {
    compared += pictures;
  });
  if (compared > 0) await meter(compared);
  const numberOf = new Map(longestFirst.map((track, at) => [track, numbers[at] ?? null]));
  const tracks = all.filter((track) => numberOf.get(track) !== null);
  const persons = separatePersons(
    tracks,
    tracks.map((track) => defined(numberOf.get(track))),
  );
  const found = facesOf(tracks, persons, (person) => derivedId(job_id, person));
  const faces: FoundFace[] = [];
  for (const { best, ...face } of found) {
    const jpeg = await cropOf(best.face);
    const thumbnail =
      jpeg && derivedKey(tenant, asset_id, { step: 'faces', version: job_id, name: `${face.face_id}.jpeg` });
    if (jpeg && thumbnail) await objects.write(thumbnail, jpeg, 'image/jpeg');
    faces.push({ ...face, thumbnail });
  }
  const before = await results.list(asset_id, 'faces');
  await results.writeList(asset_id, 'faces', job_id, keepFaceIds(faces, before));
  return faces.length;
}

/** The number of crops that are read in parallel. Hours of video have thousands of crops. */
const READ_AT_ONCE = 8;

/** The pictures of tracks. A track with an embedding needs no picture. */
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

/** Finds faces and text in single pictures of a span. If one engine fails, the results of the other stay. */
import type { Faces, SeenFace } from '../../../engines/faces/port.ts';
import type { Ocr, SeenText } from '../../../engines/ocr/port.ts';
import type { MediaTools } from '../../../media/ffmpeg/serve-ranges.ts';
import { cropFace } from '../../../media/pictures/crop-face.ts';
import type { Picture } from '../../../media/pictures/picture.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import { defined, itemAt } from '../../../shared/checked-access.ts';
import { faceTracks } from '../../analyses/rules/face-tracks.ts';
import type { Span } from '../../analyses/rules/sampled-shots.ts';
import type { CroppedFace, StoredBytes } from '../rules/span-findings.ts';
import { tryAnalysis } from './try-analysis.ts';

export interface Recognition {
  readonly tools: MediaTools;
  /** Functions that open the two engines. Null for an engine that was not requested or is not available. */
  readonly faces: (() => Promise<Faces>) | null;
  readonly ocr: (() => Promise<Ocr>) | null;
  /** Language codes (BCP 47), the most likely first. */
  readonly languages: readonly string[];
  readonly shots: readonly Span[];
  readonly sample_ms: number;
  readonly signal: AbortSignal;
  /** Wait before each retry of a failed engine, ms. */
  readonly again_ms?: readonly number[];
  readonly keep: (jpeg: Buffer) => StoredBytes;
  /** Called with the fraction that is done, 0 to 1. */
  readonly reached: (fraction: number) => void;
}

export interface RecognizedPictures {
  readonly faces: readonly (readonly CroppedFace[])[];
  readonly texts: readonly (readonly SeenText[])[];
  /** Pictures that were sent to each engine, for metering. */
  readonly asked: { readonly faces: number; readonly ocr: number };
  readonly failures: { readonly faces?: JobFailure; readonly ocr?: JobFailure };
}

/** The number of pictures that each engine gets in parallel. Services answer several requests at once. */
const AT_ONCE = 4;

/** Finds faces and texts in samples. A sample that shows the same as the previous one gets the same texts. */
export async function recognizePictures(
  pictures: readonly Picture[],
  isStill: readonly boolean[],
  look: Recognition,
): Promise<RecognizedPictures> {
  const { faces: openFaces, ocr: openOcr, signal, languages } = look;
  const count = countDone(
    pictures.length * [openFaces, openOcr].filter((open) => open !== null).length,
    look,
  );
  const faces: Known<SeenFace> = new Map();
  const found = await findInEach(pictures, openFaces, look, async (engine) => {
    const find = (at: number) => engine.find(itemAt(pictures, at), signal).finally(count);
    const seen = await inBatches(pictures, signal, faces, find);
    return withCrops(pictures, seen, look);
  });
  const lines: Known<SeenText> = new Map();
  const read = await findInEach(pictures, openOcr, look, async (engine) => {
    const texts = await inBatches(pictures, signal, lines, async (at) =>
      isStill[at] ? [] : await engine.read(itemAt(pictures, at), languages, signal).finally(count),
    );
    for (let at = 1; at < texts.length; at += 1) if (isStill[at]) texts[at] = itemAt(texts, at - 1);
    return texts;
  });
  return {
    faces: found.results,
    texts: read.results,
    asked: {
      faces: openFaces === null ? 0 : pictures.length,
      ocr: openOcr === null ? 0 : isStill.filter((still) => !still).length,
    },
    failures: {
      ...(found.failure && { faces: found.failure }),
      ...(read.failure && { ocr: read.failure }),
    },
  };
}

function countDone(all: number, { reached }: Recognition): () => void {
  let done = 0;
  return () => {
    done = Math.min(all, done + 1);
    reached(done / Math.max(1, all));
  };
}

/** Findings of an engine for each picture; empty if the engine failed or was not requested. */
async function findInEach<Engine, Seen>(
  pictures: readonly Picture[],
  open: (() => Promise<Engine>) | null,
  look: Recognition,
  work: (engine: Engine) => Promise<(readonly Seen[])[]>,
): Promise<{ results: readonly (readonly Seen[])[]; failure?: JobFailure }> {
  const nothing = pictures.map(() => []);
  if (open === null) return { results: nothing };
  const end = await tryAnalysis(async () => work(await open()), look);
  return 'failure' in end ? { results: nothing, failure: end.failure } : { results: end.result };
}

/** Findings by the index of the picture. A retry skips pictures that already have findings. */
type Known<Seen> = Map<number, readonly Seen[]>;

async function inBatches<Seen>(
  pictures: readonly Picture[],
  signal: AbortSignal,
  known: Known<Seen>,
  work: (at: number) => Promise<readonly Seen[]>,
): Promise<(readonly Seen[])[]> {
  const open = pictures.map((_, at) => at).filter((at) => !known.has(at));
  for (let from = 0; from < open.length; from += AT_ONCE) {
    signal.throwIfAborted();
    const some = open.slice(from, from + AT_ONCE).map(async (at) => known.set(at, await work(at)));
    const ends = await Promise.allSettled(some);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
  return pictures.map((_, at) => defined(known.get(at)));
}

/** Crops the best picture of each face track. */
async function withCrops(
  pictures: readonly Picture[],
  found: readonly (readonly SeenFace[])[],
  { shots, sample_ms, tools, signal, keep }: Recognition,
): Promise<CroppedFace[][]> {
  const samples = pictures.map(({ at_ms }, at) => ({ at_ms, faces: itemAt(found, at) }));
  const best = new Set(faceTracks(samples, shots, sample_ms).map((track) => track.best.face));
  const kept: CroppedFace[][] = [];
  for (const [at, picture] of pictures.entries()) {
    const own: CroppedFace[] = [];
    for (const face of itemAt(found, at)) {
      const crop = best.has(face) ? keep(await cropFace(tools, picture, face.box, signal)) : undefined;
      own.push({ ...face, ...(crop && { crop }) });
    }
    kept.push(own);
  }
  return kept;
}

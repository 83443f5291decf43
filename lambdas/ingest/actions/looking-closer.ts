/** Looks at single pictures of a span: for faces, and for text. What no engine can do is told, and leaves the rest. */
import type { Faces, SeenFace } from '../../../engines/faces/port.ts';
import type { MediaTools } from '../../../engines/media/port.ts';
import type { Ocr, SeenText } from '../../../engines/ocr/port.ts';
import { faceCrop } from '../../../engines/pictures/face-crop.ts';
import type { Picture } from '../../../engines/pictures/picture.ts';
import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import type { JobFailure } from '../../../platform/shared/assets.ts';
import { JobError } from '../../../platform/shared/job-errors.ts';
import { faceTracks } from '../../analyses/rules/face-tracks.ts';
import type { Span } from '../../analyses/rules/sampled-shots.ts';
import type { KeptBytes, KeptFace } from '../rules/seen.ts';

export interface CloserLook {
  readonly tools: MediaTools;
  /** Null where nobody asked for it, or nothing does it here. */
  readonly faces: Faces | null;
  readonly ocr: Ocr | null;
  /** BCP 47, the likeliest first. */
  readonly languages: readonly string[];
  /** Shots of the span, as far as it knows them. */
  readonly shots: readonly Span[];
  readonly sample_ms: number;
  readonly signal: AbortSignal;
  /** Keeps a JPEG. */
  readonly keep: (jpeg: Buffer) => KeptBytes;
  /** How much is done, 0 to 1. */
  readonly reached: (fraction: number) => void;
}

export interface SeenCloser {
  readonly faces: readonly (readonly KeptFace[])[];
  readonly texts: readonly (readonly SeenText[])[];
  /** Why one of them saw nothing. */
  readonly failures: { readonly faces?: JobFailure; readonly ocr?: JobFailure };
}

/** So many pictures are looked at in turn by each: services answer several at once, networks take the processor anyway. */
const AT_ONCE = 4;

/** @param pictures samples in order; those that are seen as one with that before have its texts */
export async function lookCloser(
  pictures: readonly Picture[],
  isStill: readonly boolean[],
  look: CloserLook,
): Promise<SeenCloser> {
  const { faces: facesEngine, ocr, signal, reached, languages } = look;
  const kinds = [facesEngine, ocr].filter((engine) => engine !== null).length;
  let done = 0;
  const tell = () => {
    done += 1;
    reached(done / Math.max(1, kinds * pictures.length));
  };
  const found = await unlessRefused<SeenFace>(pictures, facesEngine !== null, signal, async (at) => {
    const seen = await facesEngine!.find(pictures[at]!, signal);
    tell();
    return seen;
  });
  const read = await unlessRefused<SeenText>(pictures, ocr !== null, signal, async (at) => {
    const texts = isStill[at] ? [] : await ocr!.read(pictures[at]!, languages, signal);
    tell();
    return texts;
  });
  const texts = read.results;
  for (let at = 1; at < texts.length; at += 1) if (isStill[at]) texts[at] = texts[at - 1]!;
  return {
    faces: await withCrops(pictures, found.results, look),
    texts,
    failures: {
      ...(found.failure && { faces: found.failure }),
      ...(read.failure && { ocr: read.failure }),
    },
  };
}

/** What comes of all pictures, a few at a time. An engine that refuses for good is asked no more. */
async function unlessRefused<Seen>(
  pictures: readonly Picture[],
  isWanted: boolean,
  signal: AbortSignal,
  work: (at: number) => Promise<readonly Seen[]>,
): Promise<{ results: (readonly Seen[])[]; failure?: JobFailure }> {
  const results: (readonly Seen[])[] = pictures.map(() => []);
  if (!isWanted) return { results };
  try {
    for (let from = 0; from < pictures.length; from += AT_ONCE) {
      signal.throwIfAborted();
      const some = pictures.slice(from, from + AT_ONCE);
      const seen = await Promise.all(some.map((_, at) => work(from + at)));
      for (const [at, result] of seen.entries()) results[from + at] = result;
    }
    return { results };
  } catch (error) {
    if (!(error instanceof JobError) || error.retryable || signal.aborted) throw error;
    return { results: pictures.map(() => []), failure: jobFailure(error.code, error.detail) };
  }
}

/** Cuts out one picture of each face as long as it is followed: the best. */
async function withCrops(
  pictures: readonly Picture[],
  found: readonly (readonly SeenFace[])[],
  { shots, sample_ms, tools, signal, keep }: CloserLook,
): Promise<KeptFace[][]> {
  const samples = pictures.map(({ at_ms }, at) => ({ at_ms, faces: found[at]! }));
  const best = new Set(faceTracks(samples, shots, sample_ms).map((track) => track.best.face));
  const kept: KeptFace[][] = [];
  for (const [at, picture] of pictures.entries()) {
    const own: KeptFace[] = [];
    for (const face of found[at]!) {
      const crop = best.has(face) ? keep(await faceCrop(tools, picture, face.box, signal)) : undefined;
      own.push({ ...face, ...(crop && { crop }) });
    }
    kept.push(own);
  }
  return kept;
}

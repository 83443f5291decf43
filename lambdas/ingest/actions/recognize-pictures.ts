/** Looks at single pictures of a span: for faces, and for text. What no engine can do is told, and leaves the rest. */
import type { Faces, SeenFace } from '../../../engines/faces/port.ts';
import type { Ocr, SeenText } from '../../../engines/ocr/port.ts';
import type { MediaTools } from '../../../media/ffmpeg/media-tools.ts';
import { faceCrop } from '../../../media/pictures/crop-face.ts';
import type { Picture } from '../../../media/pictures/picture.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import { faceTracks } from '../../analyses/rules/face-tracks.ts';
import type { Span } from '../../analyses/rules/sampled-shots.ts';
import type { CroppedFace, StoredBytes } from '../rules/span-findings.ts';
import { tryAnalysis } from './try-analysis.ts';

export interface Recognition {
  readonly tools: MediaTools;
  /** Opens the engine; null where nobody asked for it, or nothing does it here. */
  readonly faces: (() => Promise<Faces>) | null;
  readonly ocr: (() => Promise<Ocr>) | null;
  /** BCP 47, the likeliest first. */
  readonly languages: readonly string[];
  /** Shots of the span, as far as it knows them. */
  readonly shots: readonly Span[];
  readonly sample_ms: number;
  readonly signal: AbortSignal;
  /** How long is waited before an engine is asked again that failed, ms. */
  readonly again_ms?: readonly number[];
  /** Keeps a JPEG. */
  readonly keep: (jpeg: Buffer) => StoredBytes;
  /** How much is done, 0 to 1. */
  readonly reached: (fraction: number) => void;
}

export interface RecognizedPictures {
  readonly faces: readonly (readonly CroppedFace[])[];
  readonly texts: readonly (readonly SeenText[])[];
  /** How many pictures each was asked about. */
  readonly asked: { readonly faces: number; readonly ocr: number };
  /** Why one of them saw nothing. */
  readonly failures: { readonly faces?: JobFailure; readonly ocr?: JobFailure };
}

/** So many pictures are looked at in turn by each: services answer several at once, networks take the processor anyway. */
const AT_ONCE = 4;

/** @param pictures samples in order; those that are seen as one with that before have its texts */
export async function recognizePictures(
  pictures: readonly Picture[],
  isStill: readonly boolean[],
  look: Recognition,
): Promise<RecognizedPictures> {
  const { faces: openFaces, ocr: openOcr, signal, languages } = look;
  const tell = telling(pictures.length * [openFaces, openOcr].filter((open) => open !== null).length, look);
  const faces: Known<SeenFace> = new Map();
  const found = await ofEach(pictures, openFaces, look, async (engine) => {
    const find = (at: number) => engine.find(pictures[at]!, signal).finally(tell);
    const seen = await inTurn(pictures, signal, faces, find);
    return withCrops(pictures, seen, look);
  });
  const lines: Known<SeenText> = new Map();
  const read = await ofEach(pictures, openOcr, look, async (engine) => {
    const texts = await inTurn(pictures, signal, lines, async (at) =>
      isStill[at] ? [] : await engine.read(pictures[at]!, languages, signal).finally(tell),
    );
    for (let at = 1; at < texts.length; at += 1) if (isStill[at]) texts[at] = texts[at - 1]!;
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

/** Counts what is done; what is done again counts once. */
function telling(all: number, { reached }: Recognition): () => void {
  let done = 0;
  return () => {
    done = Math.min(all, done + 1);
    reached(done / Math.max(1, all));
  };
}

/** What an engine saw in each picture; nothing where it failed, or is not wanted. */
async function ofEach<Engine, Seen>(
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

/** What an engine saw in pictures, by their number: where it is busy and asked again, it is not asked for these. */
type Known<Seen> = Map<number, readonly Seen[]>;

/** What comes of all pictures, a few at a time. */
async function inTurn<Seen>(
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
  return pictures.map((_, at) => known.get(at)!);
}

/** Cuts out one picture of each face as long as it is followed: the best. */
async function withCrops(
  pictures: readonly Picture[],
  found: readonly (readonly SeenFace[])[],
  { shots, sample_ms, tools, signal, keep }: Recognition,
): Promise<CroppedFace[][]> {
  const samples = pictures.map(({ at_ms }, at) => ({ at_ms, faces: found[at]! }));
  const best = new Set(faceTracks(samples, shots, sample_ms).map((track) => track.best.face));
  const kept: CroppedFace[][] = [];
  for (const [at, picture] of pictures.entries()) {
    const own: CroppedFace[] = [];
    for (const face of found[at]!) {
      const crop = best.has(face) ? keep(await faceCrop(tools, picture, face.box, signal)) : undefined;
      own.push({ ...face, ...(crop && { crop }) });
    }
    kept.push(own);
  }
  return kept;
}

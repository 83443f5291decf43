/** @vladmandic/face-api: faces and whose they are, on this machine, by networks that its package brings. */
import { createRequire } from 'node:module';
import type { Picture } from '../../media/pictures/picture.ts';
import { overlapOf, withinPicture } from '../../shared/boxes.ts';
import { engineUnavailable, internalError } from '../../shared/job-errors.ts';
import { type Detection, type FaceNets, faceNets, type PixelBox, type Pixels } from './face-nets.ts';
import { personsByLikeness } from './group-faces.ts';
import { type Faces, facesEngine, type SeenFace } from './port.ts';

export const faceApi = facesEngine({
  name: 'face-api',
  runs: ['local'],
  price: null,
  languages: 'any',
  settings: {},
  permissions: {},
  make: () => localFaces(),
});

/** The network looks at so many pixels each way; a picture fills them in its longer one. */
const LOOKED_AT = 512;
/** Faces below this width, as a share of those pixels, are told from textures by luck. */
const LEAST_WIDTH = 20;
/**
 * Measured on photographs with 23 faces, and on a cat, coins, machines, plants and stones: faces had .60 or more from the one
 * network and .50 or more from the other; what is no face but for one of them, .15 at most from the other.
 */
const LEAST_SCORE = 0.5;
const LEAST_OPINION = 0.3;
/** What large textures hold that is taken for a face may hold a true one as well: both networks have to mean the same. */
const SAME_PLACE = 0.3;
/** A crop is so many times as large as the face, and has at most so many pixels each way. */
const ROOM = 2;
const CROP_SIZE = 320;
/** The greatest distance between a face and the middle of those of its person. */
const ONE_PERSON = 0.42;

export function localFaces(): Faces {
  // One picture at a time: the networks keep the processor busy, and memory grows with what they look at together.
  let before: Promise<unknown> = Promise.resolve();
  return {
    find(picture, signal) {
      const found = before.then(() => facesIn(picture, signal));
      before = found.catch(() => {});
      return found;
    },
    async tellApart(crops, signal) {
      signal?.throwIfAborted();
      const known = crops.flatMap(({ likeness }, at) => (likeness ? [{ at, likeness }] : []));
      const persons = personsByLikeness(
        known.map(({ likeness }) => likeness),
        ONE_PERSON,
      );
      const numbers = new Map(known.map(({ at }, index) => [at, `person ${persons[index]}`]));
      const order = new Map<string, number>();
      return crops.map((_, at) => {
        const person = numbers.get(at) ?? `crop ${at}`;
        if (!order.has(person)) order.set(person, order.size);
        return order.get(person)!;
      });
    },
  };
}

async function facesIn(picture: Picture, signal: AbortSignal | undefined): Promise<SeenFace[]> {
  signal?.throwIfAborted();
  const { nets, sharp } = await tools();
  const whole = await pixelsOf(sharp(picture.jpeg));
  const small = await pixelsOf(
    ofPixels(sharp, whole).resize({ width: LOOKED_AT, height: LOOKED_AT, fit: 'inside' }),
  );
  const scale = whole.width / small.width;
  const found = await nets.detect(small, LEAST_SCORE);
  const faces: SeenFace[] = [];
  for (const { score, box } of found.filter(isLargeEnough)) {
    signal?.throwIfAborted();
    const face = scaled(box, scale);
    const likeness = await likenessAt(nets, sharp, whole, face);
    if (likeness === null) continue;
    faces.push({ box: fractionsOf(face, whole), confidence: Math.round(score * 1000) / 1000, likeness });
  }
  return faces.toSorted((one, other) => other.box.width * other.box.height - one.box.width * one.box.height);
}

const isLargeEnough = ({ box }: Detection) => Math.min(box.width, box.height) >= LEAST_WIDTH;

/** Null where the second network sees no face in the same place. */
async function likenessAt(
  nets: FaceNets,
  sharp: Sharp,
  whole: Pixels,
  face: PixelBox,
): Promise<number[] | null> {
  const place = placeAround(face, whole);
  const cut = ofPixels(sharp, whole).extract(place);
  const crop = await pixelsOf(
    cut.resize({ width: CROP_SIZE, height: CROP_SIZE, fit: 'inside', withoutEnlargement: true }),
  );
  const within = { ...face, x: face.x - place.left, y: face.y - place.top };
  const box = scaled(within, crop.width / place.width);
  const opinions = await nets.secondOpinion(crop, LEAST_OPINION);
  if (!opinions.some((opinion) => overlapOf(opinion.box, box) >= SAME_PLACE)) return null;
  return nets.likenessOf(crop, box);
}

/** The square around a face that a crop shows, as far as the picture reaches. */
function placeAround({ x, y, width, height }: PixelBox, picture: Pixels) {
  const side = ROOM * Math.max(width, height);
  const left = Math.max(0, Math.round(x + width / 2 - side / 2));
  const top = Math.max(0, Math.round(y + height / 2 - side / 2));
  return {
    left,
    top,
    width: Math.max(1, Math.min(picture.width, Math.round(left + side)) - left),
    height: Math.max(1, Math.min(picture.height, Math.round(top + side)) - top),
  };
}

const scaled = ({ x, y, width, height }: PixelBox, by: number): PixelBox => ({
  x: x * by,
  y: y * by,
  width: width * by,
  height: height * by,
});

const fractionsOf = ({ x, y, width, height }: PixelBox, picture: Pixels) =>
  withinPicture({
    x: x / picture.width,
    y: y / picture.height,
    width: width / picture.width,
    height: height / picture.height,
  });

async function tools(): Promise<{ nets: FaceNets; sharp: Sharp }> {
  try {
    const sharp = createRequire(import.meta.url)('sharp') as Sharp;
    return { nets: await faceNets(), sharp };
  } catch (cause) {
    throw engineUnavailable(
      'The packages that find faces (@vladmandic/face-api, sharp) do not run here: npm install brings them.',
      cause,
    );
  }
}

async function pixelsOf(image: Image): Promise<Pixels> {
  try {
    const { data, info } = await image
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (cause) {
    throw internalError('A picture of the video could not be decoded.', cause);
  }
}

const ofPixels = (sharp: Sharp, { data, width, height }: Pixels): Image =>
  sharp(data, { raw: { width, height, channels: 3 } });

/** The part of the package `sharp` that is used. */
type Sharp = (input: Uint8Array, options?: { raw: { width: number; height: number; channels: 3 } }) => Image;
interface Image {
  extract(place: { left: number; top: number; width: number; height: number }): Image;
  resize(options: { width: number; height: number; fit: 'inside'; withoutEnlargement?: boolean }): Image;
  toColourspace(name: 'srgb'): Image;
  removeAlpha(): Image;
  raw(): Image;
  toBuffer(options: { resolveWithObject: true }): Promise<{
    data: Buffer;
    info: { width: number; height: number };
  }>;
}

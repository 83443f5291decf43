/** @vladmandic/face-api: finds and compares faces on this machine, without downloads. `ENGINE_FACES=face-api` */
import type { Sharp as SharpImage } from 'sharp';
import type { Picture } from '../../media/pictures/picture.ts';
import { overlapOf, withinPicture } from '../../shared/boxes.ts';
import { engineUnavailable } from '../../shared/job-errors.ts';
import { decodePixels, loadPackage, oneByOne, type Pixels, type Sharp } from '../local-packages.ts';
import { type Detection, type FaceNets, faceNets, type PixelBox } from './face-nets.ts';
import { groupFaces } from './group-faces.ts';
import { byArea, type Faces, facesEngine, type SeenFace } from './port.ts';

export const faceApi = facesEngine({
  name: 'face-api',
  runs: ['local'],
  price: null,
  make: () => localFaces(),
});

const INPUT_SIZE = 512;
/** The minimum size of a face, in pixels of the scaled picture. The detector confuses smaller faces with textures. */
const MIN_WIDTH = 20;
/**
 * The minimum scores: `MIN_SCORE` of the detector, `MIN_SECOND_SCORE` of a second network. Measured on pictures of 23 faces, a cat,
 * coins, machines, plants and stones: faces had .60 or more with the detector and .50 or more with the second network. Things that
 * the detector mistook for faces had .15 or less with the second network.
 */
const MIN_SCORE = 0.5;
const MIN_SECOND_SCORE = 0.3;
/** The minimum overlap of the boxes of both networks, as a share. A large false box may contain a small true face. */
const MIN_OVERLAP = 0.3;
/** `CROP_SCALE`: the side of a crop, as a multiple of the side of the face. `CROP_SIZE`: the maximum side of a crop in pixels. */
const CROP_SCALE = 2;
const CROP_SIZE = 320;
/** The maximum distance between the embedding of a face and the center of its person. */
const MAX_DISTANCE = 0.42;

export const localFaces = (): Faces => ({
  find: oneByOne(findFaces),
  async tellApart(crops, signal) {
    signal?.throwIfAborted();
    const known = crops.flatMap(({ likeness }, at) => (likeness ? [{ at, likeness }] : []));
    const persons = groupFaces(
      known.map(({ likeness }) => likeness),
      MAX_DISTANCE,
    );
    const personAt = new Map(known.map(({ at }, index) => [at, `person ${persons[index]}`]));
    // A crop without an embedding counts as a separate person.
    const keys = crops.map((_, at) => personAt.get(at) ?? `crop ${at}`);
    const inOrder = [...new Set(keys)];
    return keys.map((key) => inOrder.indexOf(key));
  },
});

async function findFaces(picture: Picture, signal?: AbortSignal): Promise<SeenFace[]> {
  signal?.throwIfAborted();
  const { nets, sharp } = await loadTools();
  const whole = await toRgb(sharp(picture.jpeg));
  const small = await toRgb(
    fromRgb(sharp, whole).resize({ width: INPUT_SIZE, height: INPUT_SIZE, fit: 'inside' }),
  );
  const scale = whole.width / small.width;
  const found = await nets.detect(small, MIN_SCORE);
  const faces: SeenFace[] = [];
  for (const { score, box } of found.filter(isLargeEnough)) {
    signal?.throwIfAborted();
    const face = scaleBox(box, scale);
    const likeness = await embedFace(nets, sharp, whole, face);
    if (likeness === null) continue;
    faces.push({ box: toFractions(face, whole), confidence: Math.round(score * 1000) / 1000, likeness });
  }
  return faces.toSorted(byArea);
}

const isLargeEnough = ({ box }: Detection) => Math.min(box.width, box.height) >= MIN_WIDTH;

/** Returns the embedding of a face, or null if the second network finds no face in the same place. */
async function embedFace(nets: FaceNets, sharp: Sharp, whole: Pixels, face: PixelBox) {
  const square = squareAround(face, whole);
  const cut = fromRgb(sharp, whole).extract(square);
  const crop = await toRgb(
    cut.resize({ width: CROP_SIZE, height: CROP_SIZE, fit: 'inside', withoutEnlargement: true }),
  );
  const within = { ...face, x: face.x - square.left, y: face.y - square.top };
  const box = scaleBox(within, crop.width / square.width);
  const detections = await nets.detectAgain(crop, MIN_SECOND_SCORE);
  if (!detections.some((detection) => overlapOf(detection.box, box) >= MIN_OVERLAP)) return null;
  return nets.embed(crop, box);
}

function squareAround({ x, y, width, height }: PixelBox, picture: Pixels) {
  const side = CROP_SCALE * Math.max(width, height);
  const left = Math.max(0, Math.round(x + width / 2 - side / 2));
  const top = Math.max(0, Math.round(y + height / 2 - side / 2));
  return {
    left,
    top,
    width: Math.max(1, Math.min(picture.width, Math.round(left + side)) - left),
    height: Math.max(1, Math.min(picture.height, Math.round(top + side)) - top),
  };
}

const scaleBox = ({ x, y, width, height }: PixelBox, by: number): PixelBox => ({
  x: x * by,
  y: y * by,
  width: width * by,
  height: height * by,
});

const toFractions = ({ x, y, width, height }: PixelBox, picture: Pixels) =>
  withinPicture({
    x: x / picture.width,
    y: y / picture.height,
    width: width / picture.width,
    height: height / picture.height,
  });

async function loadTools(): Promise<{ nets: FaceNets; sharp: Sharp }> {
  const sharp = loadPackage<Sharp>('sharp');
  try {
    return { nets: await faceNets(), sharp };
  } catch (cause) {
    throw engineUnavailable(
      '@vladmandic/face-api is missing or does not run here. Run `npm install`.',
      cause,
    );
  }
}

const toRgb = (image: SharpImage): Promise<Pixels> => decodePixels(image.toColourspace('srgb').removeAlpha());

const fromRgb = (sharp: Sharp, { data, width, height }: Pixels): SharpImage =>
  sharp(data, { raw: { width, height, channels: 3 } });

/** Amazon Rekognition: DetectFaces and CompareFaces, which store no faces. `ENGINE_FACES=rekognition` */
import { CompareFacesCommand, DetectFacesCommand, type RekognitionClient } from '@aws-sdk/client-rekognition';
import {
  askRekognition,
  isLargeEnough,
  rekognition,
  rekognitionPermission,
  rekognitionPrice,
  toBox,
  toFraction,
  toImage,
} from '../aws/rekognition.ts';
import { byArea, type FaceCrop, type Faces, facesEngine } from './port.ts';

/**
 * The maximum number of comparisons for one asset. With a fifth of the default quota (engines/provider-quotas.ts), they take 7 minutes.
 * The step may take 15.
 */
const MAX_COMPARISONS = 2000;

export const rekognitionFaces = facesEngine({
  name: 'rekognition',
  runs: ['aws'],
  price: rekognitionPrice,
  compares: MAX_COMPARISONS,
  quotas: { find: 'rekognitionFacesPerSecond', tellApart: 'rekognitionFacesPerSecond' },
  permissions: {
    find: [rekognitionPermission('DetectFaces')],
    tellApart: [rekognitionPermission('CompareFaces')],
  },
  make: () => facesByRekognition(rekognition()),
});

const MIN_CONFIDENCE = 90;
/** The minimum similarity of two faces of one person, percent. The Developer Guide uses 80 as the default, and 99 for law enforcement. */
const MIN_SIMILARITY = 90;
/** The maximum number of persons that a face is compared with: the persons with the most crops so far. */
const MAX_PERSONS = 20;
const CONCURRENCY = 5;

type Client = Pick<RekognitionClient, 'send'>;

interface Person {
  readonly crop: FaceCrop;
  readonly number: number;
  /** The number of crops that show this person. */
  times: number;
}

export function facesByRekognition(client: Client): Faces {
  return {
    async find(picture, signal) {
      signal?.throwIfAborted();
      if (!isLargeEnough(picture)) return [];
      const command = new DetectFacesCommand({ Image: toImage(picture.jpeg), Attributes: ['DEFAULT'] });
      const { FaceDetails = [] } = await askRekognition((options) => client.send(command, options), {
        signal,
      });
      return FaceDetails.filter(({ Confidence = 0 }) => Confidence >= MIN_CONFIDENCE)
        .map(({ BoundingBox, Confidence }) => ({
          box: toBox(BoundingBox),
          confidence: toFraction(Confidence),
          likeness: null,
        }))
        .toSorted(byArea);
    },

    async tellApart(crops, signal, onPictures) {
      const persons: Person[] = [];
      const numbers: (number | null)[] = [];
      let left = MAX_COMPARISONS;
      for (const crop of crops) {
        signal?.throwIfAborted();
        const frequent = persons.toSorted((one, other) => other.times - one.times).slice(0, MAX_PERSONS);
        if (frequent.length > left) {
          numbers.push(null);
          continue;
        }
        const { person, comparisons } = await findPerson(client, crop, frequent, signal);
        left -= comparisons;
        onPictures?.(comparisons);
        if (person) person.times++;
        else persons.push({ crop, number: persons.length, times: 1 });
        numbers.push(person?.number ?? persons.length - 1);
      }
      return numbers;
    },
  };
}

/** Finds the person on a crop: compares the crop with several persons in parallel, the most frequent persons first. Counts the comparisons. */
async function findPerson(
  client: Client,
  crop: FaceCrop,
  persons: readonly Person[],
  signal: AbortSignal | undefined,
): Promise<{ person: Person | undefined; comparisons: number }> {
  for (let at = 0; at < persons.length; at += CONCURRENCY) {
    signal?.throwIfAborted();
    const group = persons.slice(at, at + CONCURRENCY);
    const similarities = await Promise.all(
      group.map((person) => similarityOf(client, crop, person.crop, signal)),
    );
    const most = Math.max(...similarities);
    if (most >= MIN_SIMILARITY)
      return { person: group[similarities.indexOf(most)], comparisons: at + group.length };
  }
  return { person: undefined, comparisons: persons.length };
}

/** Returns the similarity in percent. Returns 0 if it is below `MIN_SIMILARITY`, or if Rekognition finds no face on a crop. */
async function similarityOf(client: Client, one: FaceCrop, other: FaceCrop, signal: AbortSignal | undefined) {
  const command = new CompareFacesCommand({
    SourceImage: toImage(one.jpeg),
    TargetImage: toImage(other.jpeg),
    SimilarityThreshold: MIN_SIMILARITY,
  });
  const matches = await askRekognition(
    async (options) => (await client.send(command, options)).FaceMatches ?? [],
    {
      signal,
      // API_CompareFaces returns this error "if no faces are detected in the source or target images".
      onError: ({ name }) => (name === 'InvalidParameterException' ? { answer: [] } : undefined),
    },
  );
  return Math.max(0, ...matches.map(({ Similarity = 0 }) => Similarity));
}

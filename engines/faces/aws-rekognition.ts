/** Amazon Rekognition: faces by DetectFaces, and whose they are by CompareFaces: neither makes a collection of faces. */
import {
  CompareFacesCommand,
  type CompareFacesCommandOutput,
  DetectFacesCommand,
  type RekognitionClient,
} from '@aws-sdk/client-rekognition';
import { withinPicture } from '../../shared/boxes.ts';
import { answerOf, fractionOf, imageOf, isLargeEnough, rekognition } from '../aws/rekognition.ts';
import type { ServiceError } from '../aws/requests.ts';
import { type FaceCrop, type Faces, facesEngine, type SeenFace } from './port.ts';

const why = 'Operations of Rekognition on pictures that come with the request have no resource to name.';

export const rekognitionFaces = facesEngine({
  name: 'rekognition',
  runs: ['aws'],
  price: { per: 'picture', usd: 0.001, source: 'https://aws.amazon.com/rekognition/pricing/' },
  languages: 'any',
  settings: {},
  quotas: { find: 'rekognitionFacesPerSecond', tellApart: 'rekognitionFacesPerSecond' },
  permissions: {
    find: [{ actions: ['rekognition:DetectFaces'], resources: ['*'], why }],
    tellApart: [{ actions: ['rekognition:CompareFaces'], resources: ['*'], why }],
  },
  make: () => facesByRekognition(rekognition()),
});

/** Per cent. */
const LEAST_CONFIDENCE = 90;
/** Per cent: the Developer Guide takes 80 for granted, and 99 where law enforcement asks. */
const SAME_PERSON = 90;
/** A face is compared with the persons that were met most often until then. */
const MOST_PERSONS = 20;
/**
 * Comparisons an asset, which bounds what it costs and how long it takes: at five a second, which is all that an account may
 * ask in most regions before it asks AWS for more, they take seven minutes of the quarter of an hour that their step has.
 */
const MOST_COMPARISONS = 2000;
/** Requests at a time. */
const AT_ONCE = 5;

export function facesByRekognition(client: Pick<RekognitionClient, 'send'>): Faces {
  return {
    async find(picture, signal) {
      signal?.throwIfAborted();
      if (!isLargeEnough(picture)) return [];
      const command = new DetectFacesCommand({ Image: imageOf(picture.jpeg), Attributes: ['DEFAULT'] });
      const { FaceDetails = [] } = await answerOf((options) => client.send(command, options), signal);
      return FaceDetails.filter(({ Confidence = 0 }) => Confidence >= LEAST_CONFIDENCE)
        .map(({ BoundingBox: { Left = 0, Top = 0, Width = 0, Height = 0 } = {}, Confidence }): SeenFace => {
          const box = withinPicture({ x: Left, y: Top, width: Width, height: Height });
          return { box, confidence: fractionOf(Confidence), likeness: null };
        })
        .toSorted((one, other) => other.box.width * other.box.height - one.box.width * one.box.height);
    },

    async tellApart(crops, signal, tell) {
      const persons: { readonly shown: FaceCrop; readonly number: number; times: number }[] = [];
      const numbers: (number | null)[] = [];
      let left = MOST_COMPARISONS;
      for (const crop of crops) {
        signal?.throwIfAborted();
        const met = persons.toSorted((one, other) => other.times - one.times).slice(0, MOST_PERSONS);
        if (met.length > left) {
          numbers.push(null);
          continue;
        }
        const { alike, asked } = await mostAlike(client, crop, met, signal);
        left -= asked;
        tell?.(asked);
        if (alike) alike.times++;
        else persons.push({ shown: crop, number: persons.length, times: 1 });
        numbers.push(alike?.number ?? persons.length - 1);
      }
      return numbers;
    },
  };
}

/** The person that a face is most like, of those it is like at all. Asks for a few at a time, the likeliest first, and counts. */
async function mostAlike<Person extends { readonly shown: FaceCrop }>(
  client: Pick<RekognitionClient, 'send'>,
  crop: FaceCrop,
  persons: readonly Person[],
  signal: AbortSignal | undefined,
): Promise<{ alike: Person | null; asked: number }> {
  for (let at = 0; at < persons.length; at += AT_ONCE) {
    signal?.throwIfAborted();
    const some = persons.slice(at, at + AT_ONCE);
    const similar = await Promise.all(some.map(({ shown }) => similarity(client, crop, shown, signal)));
    const most = Math.max(...similar);
    if (most >= SAME_PERSON) return { alike: some[similar.indexOf(most)]!, asked: at + some.length };
  }
  return { alike: null, asked: persons.length };
}

/** Per cent; 0 below what is asked for, and where the service sees no face on one of the two. */
async function similarity(
  client: Pick<RekognitionClient, 'send'>,
  one: FaceCrop,
  other: FaceCrop,
  signal: AbortSignal | undefined,
): Promise<number> {
  const command = new CompareFacesCommand({
    SourceImage: imageOf(one.jpeg),
    TargetImage: imageOf(other.jpeg),
    SimilarityThreshold: SAME_PERSON,
  });
  const { FaceMatches = [] } = await answerOf<Partial<CompareFacesCommandOutput>>(async (options) => {
    try {
      return await client.send(command, options);
    } catch (error) {
      // API_CompareFaces: "If no faces are detected in the source or target images" it answers this.
      if ((error as ServiceError).name === 'InvalidParameterException') return {};
      throw error;
    }
  }, signal);
  return Math.max(0, ...FaceMatches.map(({ Similarity = 0 }) => Similarity));
}

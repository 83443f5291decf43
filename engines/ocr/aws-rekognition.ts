/** Amazon Rekognition: lines of text by DetectText, at most 100 words in a picture. */
import { DetectTextCommand, type RekognitionClient } from '@aws-sdk/client-rekognition';
import { withinPicture } from '../../shared/boxes.ts';
import { answerOf, fractionOf, imageOf, isLargeEnough, rekognition } from '../aws/rekognition.ts';
import { isLegible } from './is-text.ts';
import { type Ocr, ocrEngine, type SeenText } from './port.ts';

export const rekognitionText = ocrEngine({
  name: 'rekognition',
  runs: ['aws'],
  price: { per: 'picture', usd: 0.001, source: 'https://aws.amazon.com/rekognition/pricing/' },
  // Amazon Rekognition FAQs, "In which languages can text be detected?" It finds out by itself which it is.
  languages: ['en', 'ar', 'ru', 'de', 'fr', 'it', 'pt', 'es'],
  settings: {},
  quotas: { read: 'rekognitionTextPerSecond' },
  permissions: {
    read: [
      {
        actions: ['rekognition:DetectText'],
        resources: ['*'],
        why: 'Operations of Rekognition on pictures that come with the request have no resource to name.',
      },
    ],
  },
  make: () => textByRekognition(rekognition()),
});

/** Per cent, of a line and of each word in it. */
const LEAST_CONFIDENCE = 80;

export function textByRekognition(client: Pick<RekognitionClient, 'send'>): Ocr {
  return {
    async read(picture, _languages, signal) {
      signal?.throwIfAborted();
      if (!isLargeEnough(picture)) return [];
      const command = new DetectTextCommand({
        Image: imageOf(picture.jpeg),
        Filters: { WordFilter: { MinConfidence: LEAST_CONFIDENCE } },
      });
      const { TextDetections = [] } = await answerOf((options) => client.send(command, options), signal);
      return TextDetections.filter(
        ({ Type, Confidence = 0 }) => Type === 'LINE' && Confidence >= LEAST_CONFIDENCE,
      )
        .map(({ DetectedText = '', Geometry, Confidence }): SeenText => {
          const { Left = 0, Top = 0, Width = 0, Height = 0 } = Geometry?.BoundingBox ?? {};
          const box = withinPicture({ x: Left, y: Top, width: Width, height: Height });
          return { text: DetectedText.trim(), box, confidence: fractionOf(Confidence) };
        })
        .filter(({ text }) => isLegible(text))
        .toSorted((one, other) => one.box.y - other.box.y);
    },
  };
}

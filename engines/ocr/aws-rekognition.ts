/** Amazon Rekognition: reads lines of text with DetectText, up to 100 words in a picture. `ENGINE_OCR=rekognition` */
import { DetectTextCommand, type RekognitionClient } from '@aws-sdk/client-rekognition';
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
import { isText } from './is-text.ts';
import { type Ocr, ocrEngine } from './port.ts';

export const rekognitionText = ocrEngine({
  name: 'rekognition',
  runs: ['aws'],
  price: rekognitionPrice,
  // Amazon Rekognition FAQs, "In which languages can text be detected?" Rekognition detects the language itself.
  languages: ['en', 'ar', 'ru', 'de', 'fr', 'it', 'pt', 'es'],
  quotas: { read: 'rekognitionTextPerSecond' },
  permissions: { read: [rekognitionPermission('DetectText')] },
  make: () => textByRekognition(rekognition()),
});

/** The minimum confidence of a line and of each of its words, percent. */
const MIN_CONFIDENCE = 80;

export function textByRekognition(client: Pick<RekognitionClient, 'send'>): Ocr {
  return {
    async read(picture, _languages, signal) {
      signal?.throwIfAborted();
      if (!isLargeEnough(picture)) return [];
      const command = new DetectTextCommand({
        Image: toImage(picture.jpeg),
        Filters: { WordFilter: { MinConfidence: MIN_CONFIDENCE } },
      });
      const { TextDetections = [] } = await askRekognition((options) => client.send(command, options), {
        signal,
      });
      return TextDetections.filter(
        ({ Type, Confidence = 0 }) => Type === 'LINE' && Confidence >= MIN_CONFIDENCE,
      )
        .map(({ DetectedText = '', Geometry, Confidence }) => ({
          text: DetectedText.trim(),
          box: toBox(Geometry?.BoundingBox),
          confidence: toFraction(Confidence),
        }))
        .filter(({ text }) => isText(text))
        .toSorted((one, other) => one.box.y - other.box.y);
    },
  };
}

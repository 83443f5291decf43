/**
 * All engines, one line for each capability, in order of preference. A planned capability without engines has an empty list.
 * Each line is a separate export, so that the bundle of a Lambda contains only the engines of the capabilities that it uses.
 */

import { storages } from './exporting/storages.ts';
import { rekognitionFaces } from './faces/aws-rekognition.ts';
import { faceApi } from './faces/face-api.ts';
import { ffmpeg } from './media/ffmpeg.ts';
import { rekognitionText } from './ocr/aws-rekognition.ts';
import { tesseract } from './ocr/tesseract.ts';
import { awsKms } from './secrets/aws-kms.ts';
import { machineKey } from './secrets/machine-key.ts';
import { frameDifferences } from './shots/frame-differences.ts';
import { features } from './sound-events/features.ts';
import { amazonPolly } from './speech/aws-polly.ts';
import { espeak } from './speech/espeak.ts';
import { amazonComprehend } from './text-analysis/aws-comprehend.ts';
import { wordLists } from './text-analysis/word-lists.ts';
import { amazonTranscribe } from './transcription/aws-transcribe.ts';
import { pocketsphinx } from './transcription/pocketsphinx.ts';
import { sherpa } from './transcription/sherpa.ts';
import { apertium } from './translation/apertium.ts';
import { bedrock } from './translation/aws-bedrock.ts';
import { amazonTranslate } from './translation/aws-translate.ts';
import { elevenLabsOnAws } from './voice-cloning/aws-elevenlabs.ts';
import { elevenLabs } from './voice-cloning/elevenlabs.ts';
import { http } from './webhooks/http.ts';

/** Programs that read and write media. */
export const media = [ffmpeg] as const;
/** Keys that encrypt the secrets of tenants. */
export const secrets = [awsKms, machineKey] as const;
/** Sends events to URLs of tenants. */
export const webhooks = [http] as const;

/** Turns speech into words with times. */
export const transcription = [amazonTranscribe, sherpa, pocketsphinx] as const;
/** Translates text. */
export const translation = [amazonTranslate, bedrock, apertium] as const;
/** Turns text into speech, for voice over. */
export const speech = [amazonPolly, espeak] as const;
/** Dubs people in their own voices. */
export const voice_cloning = [elevenLabsOnAws, elevenLabs] as const;

/** Finds faces in pictures, and tells people apart. */
export const faces = [rekognitionFaces, faceApi] as const;
/** Finds the boundaries between shots. */
export const shots = [frameDifferences] as const;
/** Reads text in pictures. */
export const ocr = [rekognitionText, tesseract] as const;
/** Finds language, sentiment, entities and key phrases of a text. */
export const text_analysis = [amazonComprehend, wordLists] as const;
/** Finds music, applause, noise and silence. */
export const sound_events = [features] as const;
/** Search by meaning. */
export const search = [] as const;

/** Live streams. */
export const live = [] as const;
/** Copies files to storages of tenants. */
export const exporting = [storages] as const;
/** Publishes clips on platforms. */
export const publishing = [] as const;

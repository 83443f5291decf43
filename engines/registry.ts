/**
 * Every engine, a line a capability, in the order of preference. What is planned and has no engine yet is an empty list.
 * Each line is an export of its own, so that a Lambda's bundle holds the engines of the capabilities that it uses.
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
/** Keys that encrypt what tenants entrust. */
export const secrets = [awsKms, machineKey] as const;
/** Sends events to addresses of tenants. */
export const webhooks = [http] as const;

/** Speech to words with times. */
export const transcription = [amazonTranscribe, sherpa, pocketsphinx] as const;
/** Text in one language to text in another. */
export const translation = [amazonTranslate, bedrock, apertium] as const;
/** Text to speech, for voice over. */
export const speech = [amazonPolly, espeak] as const;
/** Speech in the voices of those who are dubbed. */
export const voice_cloning = [elevenLabsOnAws, elevenLabs] as const;

/** Faces in pictures, and whose they are. */
export const faces = [rekognitionFaces, faceApi] as const;
/** Where one shot ends and the next begins. */
export const shots = [frameDifferences] as const;
/** Text in pictures. */
export const ocr = [rekognitionText, tesseract] as const;
/** Language, sentiment, entities and genre of what is said. */
export const text_analysis = [amazonComprehend, wordLists] as const;
/** Music, applause, silence and other sounds that are no speech. */
export const sound_events = [features] as const;
/** Finding by meaning. */
export const search = [] as const;

/** Streams that come in as they happen. */
export const live = [] as const;
/** Copies to storages of the tenants' own. */
export const exporting = [storages] as const;
/** Clips to platforms that show them. */
export const publishing = [] as const;

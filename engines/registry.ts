/**
 * All engines, one list for each capability, in order of preference. The list of a planned capability is empty.
 * Each list is a separate export, so that the bundle of a Lambda contains only the engines that the Lambda uses.
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

export const media = [ffmpeg] as const;
export const secrets = [awsKms, machineKey] as const;
export const webhooks = [http] as const;

export const transcription = [amazonTranscribe, sherpa, pocketsphinx] as const;
export const translation = [amazonTranslate, bedrock, apertium] as const;
export const speech = [amazonPolly, espeak] as const;
export const voice_cloning = [elevenLabsOnAws, elevenLabs] as const;

export const faces = [rekognitionFaces, faceApi] as const;
export const shots = [frameDifferences] as const;
export const ocr = [rekognitionText, tesseract] as const;
export const text_analysis = [amazonComprehend, wordLists] as const;
export const sound_events = [features] as const;
export const search = [] as const;

/** For live streams. */
export const live = [] as const;
export const exporting = [storages] as const;
/** For publishing clips on platforms. */
export const publishing = [] as const;

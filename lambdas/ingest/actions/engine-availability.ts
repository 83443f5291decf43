/** Which parts of an ingest the engines of this environment can do. */
import { availability, type Capability } from '../../../platform/runtime/engines.ts';
import { type Unavailable, unavailableFailure } from '../rules/outcomes.ts';

/** The capability that each part needs. */
const capabilities: Readonly<Record<Parameters<Unavailable>[0], Capability>> = {
  transcription: 'transcription',
  camera_shoots: 'shots',
  faces: 'faces',
  ocr: 'ocr',
  sound_descriptions: 'sound_events',
  autocenter: 'shots',
  metadata: 'text_analysis',
  // Word lists are our own rules; they need transcribed words.
  word_lists: 'transcription',
  translation: 'translation',
  voice_over: 'speech',
};

export const whyUnavailable: Unavailable = (kind) => {
  const found = availability(capabilities[kind]);
  return found.status === 'available' ? null : unavailableFailure(found.reason);
};

/** What the engines of this environment do of an ingest. */
import { availability, type Capability } from '../../../platform/runtime/engines.ts';
import { type Unavailable, unavailableFailure } from '../rules/outcomes.ts';

/** The capability that each needs. */
const capabilities: Readonly<Record<Parameters<Unavailable>[0], Capability>> = {
  transcription: 'transcription',
  camera_shoots: 'shots',
  faces: 'faces',
  ocr: 'ocr',
  sound_descriptions: 'sound_events',
  autocenter: 'shots',
  metadata: 'text_analysis',
  // They are rules of ours, for what an engine has heard.
  word_lists: 'transcription',
  translation: 'translation',
  voice_over: 'speech',
};

export const whyUnavailable: Unavailable = (kind) => {
  const found = availability(capabilities[kind]);
  return found.status === 'available' ? null : unavailableFailure(found.reason);
};

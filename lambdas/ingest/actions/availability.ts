/** What the engines of this environment do of an ingest. */
import { availability, type Capability } from '../../../platform/runtime/engines.ts';
import { type Unavailable, unavailableFailure } from '../rules/outcomes.ts';

/** The capability that each needs; none where it is not a matter of engines, and no step does it yet. */
const capabilities: Readonly<Record<Parameters<Unavailable>[0], Capability | null>> = {
  transcription: 'transcription',
  camera_shoots: 'shots',
  faces: 'faces',
  ocr: 'ocr',
  audio_tracks: null,
  sound_descriptions: 'sound_events',
  autocenter: 'shots',
  metadata: 'text_analysis',
  // They are rules of ours, for what an engine has heard.
  word_lists: 'transcription',
  translation: 'translation',
  voice_over: 'speech',
};

export const unavailableHere: Unavailable = (kind) => {
  const capability = capabilities[kind];
  if (capability === null) return unavailableFailure('No step of an ingest does this yet: it is planned.');
  const found = availability(capability);
  return found.status === 'available' ? null : unavailableFailure(found.reason);
};

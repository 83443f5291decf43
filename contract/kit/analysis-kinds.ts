/** What processing finds out about an asset, as plain data. */
export const analysisKinds = {
  transcription: 'What is said',
  camera_shoots: 'Where the camera changes',
  faces: 'Whose faces are seen, and when',
  ocr: 'Text that is seen; where the template asks for it',
  audio_tracks: 'The audio tracks of the source',
  sound_descriptions: 'What is heard beside speech',
  autocenter: 'Where the picture happens, for framing',
  metadata: 'Entities, sentiment, classification and key phrases',
  word_lists: 'Blacklists, whitelists and dictionaries of the template, applied to what is said',
} as const;

export type AnalysisKind = keyof typeof analysisKinds;

export const analysisKindNames = Object.keys(analysisKinds) as AnalysisKind[];

/** What became of an analysis or a language. */
export const outcomes = {
  running: 'It is under way',
  ready: 'It is done; its result can be read',
  skipped: 'Nobody asked for it, or the media has nothing of the kind',
  unavailable: 'No engine does it here; `error` says so',
  failed: 'It was tried and failed; `error` says why',
} as const;

export type OutcomeStatus = keyof typeof outcomes;

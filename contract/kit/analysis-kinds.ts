/** Kinds of analyses of an asset, as plain data. */
export const analysisKinds = {
  transcription: 'Speech as text',
  camera_shoots: 'Camera shots',
  faces: 'Faces, with the times at which they appear',
  ocr: 'Text in the picture, if the template asks for it',
  audio_tracks: 'The audio tracks of the source',
  sound_descriptions: 'Sounds other than speech',
  autocenter: 'Points that the framing of clips follows',
  metadata: 'Entities, sentiment, classification and key phrases',
  word_lists: 'Blacklists, whitelists and dictionaries of the template, applied to the transcription',
} as const;

export type AnalysisKind = keyof typeof analysisKinds;

export const analysisKindNames = Object.keys(analysisKinds) as AnalysisKind[];

/** Status of an analysis of an asset. */
export const outcomes = {
  running: 'It runs now',
  ready: 'It is done; its result can be read',
  skipped: 'It was not requested, or the media has nothing of the kind',
  unavailable: 'No engine of this environment does it; `error` has the reason',
  failed: 'It failed; `error` says why',
} as const;

export type OutcomeStatus = keyof typeof outcomes;

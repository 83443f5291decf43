/** Reasons for the choice of the transcribed audio track, in order of precedence. */
export const trackChoices = {
  asked_for: '`audio_track` selects it',
  only: 'the file has no other track',
  language: 'it is in the given original language',
  no_commentary: 'the others are commentaries, or for the visually or hearing impaired',
  default: 'the file marks it as the default',
  channels: 'it has the most channels',
  first: 'no other rule applies, and it is the first',
} as const;

export type TrackChoice = keyof typeof trackChoices;

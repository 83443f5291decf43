/** Why one of several audio tracks is the one that is transcribed; in the order of precedence. */
export const trackChoices = {
  asked_for: '`audio_track` asks for it',
  only: 'there is no other',
  language: 'it is in the original language that was given',
  no_commentary: 'the others are commentaries, or for the visually or hearing impaired',
  default: 'the file says that it is the default',
  channels: 'it has the most channels',
  first: 'nothing else tells it from the others, and it comes first',
} as const;

export type TrackChoice = keyof typeof trackChoices;

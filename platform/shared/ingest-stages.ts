/** The stages of an ingest in their order, and the part of the whole progress that each is, in percent. */
const weights = {
  upload: 4,
  probe: 6,
  audio: 10,
  transcription: 64,
  segments: 4,
  translation: 5,
  voice_over: 5,
  finish: 2,
} as const;

export type Stage = keyof typeof weights;

const stages = Object.keys(weights) as Stage[];

/** The progress of the whole, 0 to 1. @param fraction how much of the stage is done, 0 to 1 */
export function progressAt(stage: Stage, fraction = 0): number {
  const before = stages.slice(0, stages.indexOf(stage)).reduce((sum, name) => sum + weights[name], 0);
  return Math.round((before + weights[stage] * Math.min(1, fraction)) * 1000) / 100_000;
}

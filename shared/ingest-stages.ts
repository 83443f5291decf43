/** The stages of an ingest, with their shares of the progress. Sound and pictures are processed in parallel. */
import type { Reached } from './assets.ts';
import { defined } from './checked-access.ts';

/** Stages that are not in a branch, with their share of the whole progress in percent. */
const alone = { upload: 4, probe: 6, finish: 2 } as const;

/** Stages of the parallel branches, with their weights within the branch. */
const stagesOf = {
  sound: { audio: 10, transcription: 64, segments: 4, translation: 5, voice_over: 5 },
  pictures: { pictures: 80, framing: 8 },
} as const;

/** The weight of each branch. */
const weights = { sound: 2, pictures: 1 } as const;

export type Branch = keyof typeof stagesOf;
type AloneStage = keyof typeof alone;
export type BranchStage = { [B in Branch]: keyof (typeof stagesOf)[B] }[Branch];
export type Stage = AloneStage | BranchStage;

/** For each branch that the media has: its progress, 0 to 1, and its expected end. */
export type BranchesReached = Partial<
  Readonly<Record<Branch, { readonly reached: number; readonly ready_at: string | null }>>
>;

export const isAlone = (stage: Stage): stage is AloneStage => stage in alone;

/** The whole progress in percent. @param fraction finished part of the stage, 0 to 1 */
export function progressAt(stage: AloneStage, fraction = 0): number {
  const before = stage === 'upload' ? 0 : stage === 'probe' ? alone.upload : 100 - alone.finish;
  return rounded(before + alone[stage] * Math.min(1, fraction));
}

/** The progress of the stage's branch, 0 to 1. @param fraction finished part of the stage, 0 to 1 */
export function placeAt(stage: BranchStage, fraction: number): { branch: Branch; reached: number } {
  const branch = stage in stagesOf.sound ? 'sound' : 'pictures';
  const shares: Readonly<Record<string, number>> = stagesOf[branch];
  const names = Object.keys(shares);
  const sum = (some: readonly string[]) => some.reduce((all, name) => all + defined(shares[name]), 0);
  const before = sum(names.slice(0, names.indexOf(stage)));
  return { branch, reached: (before + defined(shares[stage]) * Math.min(1, fraction)) / sum(names) };
}

/** The whole progress. The stage is that of the slower branch, so that it does not alternate between two stages. */
export function reachedTogether(stage: BranchStage, branches: BranchesReached): Reached {
  const { sound, pictures } = branches;
  const { branch } = placeAt(stage, 0);
  const isNamed = branch === 'sound' || sound === undefined || sound.reached >= (pictures?.reached ?? 0);
  const begun = Object.entries(branches) as [Branch, { reached: number }][];
  const done = begun.reduce((sum, [name, { reached }]) => sum + weights[name] * reached, 0);
  const all = begun.reduce((sum, [name]) => sum + weights[name], 0);
  const share = 100 - alone.upload - alone.probe - alone.finish;
  const progress = rounded(alone.upload + alone.probe + (share * done) / all);
  return { ...(isNamed && { stage }), progress };
}

/** The latest expected end of the unfinished branches; null if none is known. */
export function latestOf(branches: BranchesReached): string | null {
  const known = Object.values(branches)
    .filter(({ reached }) => reached < 1)
    .flatMap(({ ready_at }) => ready_at ?? []);
  return known.sort().at(-1) ?? null;
}

const rounded = (percent: number): number => Math.round(percent * 1000) / 100_000;

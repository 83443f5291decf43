import { describe, expect, it } from 'vitest';
import {
  type BranchesReached,
  type BranchStage,
  latestOf,
  placeAt,
  progressAt,
  reachedTogether,
} from '../../shared/ingest-stages.ts';

const sound: BranchStage[] = ['audio', 'transcription', 'segments', 'translation', 'voice_over'];
const at = (reached: number, ready_at: string | null = null) => ({ reached, ready_at });

describe('the progress of an ingest', () => {
  it('goes from 0 to 1, and never falls from stage to stage', () => {
    const fractions = [0, 0.5, 1];
    const alone = (stage: 'upload' | 'probe' | 'finish') =>
      fractions.map((fraction) => progressAt(stage, fraction));
    const ofSound = sound.flatMap((stage) =>
      fractions.map((fraction) => {
        const { branch, reached } = placeAt(stage, fraction);
        return reachedTogether(stage, { [branch]: at(reached) }).progress;
      }),
    );
    const seen = [...alone('upload'), ...alone('probe'), ...ofSound, ...alone('finish')];
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect([seen[0], seen.at(-1)]).toEqual([0, 1]);
  });

  it('combines sound and pictures if the media has both, and otherwise is that of the only one', () => {
    const together = (branches: BranchesReached) => reachedTogether('pictures', branches).progress;
    expect(together({ pictures: at(1) })).toBe(progressAt('finish'));
    expect(together({ sound: at(1), pictures: at(1) })).toBe(progressAt('finish'));
    expect(together({ sound: at(0), pictures: at(1) })).toBeLessThan(
      together({ sound: at(1), pictures: at(0) }),
    );
  });

  it('has the stage of the sound, or of the pictures if the sound is further or missing', () => {
    const stage = (told: BranchStage, branches: BranchesReached) => reachedTogether(told, branches).stage;
    expect(stage('audio', { sound: at(0.1), pictures: at(0) })).toBe('audio');
    expect(stage('pictures', { sound: at(0.1), pictures: at(0.2) })).toBeUndefined();
    expect(stage('pictures', { sound: at(0.3), pictures: at(0.2) })).toBe('pictures');
    expect(stage('pictures', { pictures: at(0.2) })).toBe('pictures');
  });

  it('has the expected end of the later branch', () => {
    const [soon, late] = ['2026-11-22T10:00:00.000Z', '2026-11-22T11:00:00.000Z'];
    expect(latestOf({ sound: at(0.5, soon), pictures: at(0.5, late) })).toBe(late);
    expect(latestOf({ sound: at(0.5, soon), pictures: at(1, late) })).toBe(soon);
    expect(latestOf({ sound: at(0.1), pictures: at(0) })).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { progressAt, type Stage } from '../../../platform/shared/ingest-stages.ts';

describe('the progress of an ingest', () => {
  it('goes from nothing to all, and never falls from stage to stage', () => {
    const stages: Stage[] = [
      ...(['upload', 'probe', 'audio', 'transcription', 'segments', 'translation', 'voice_over'] as const),
      'finish',
    ];
    const seen = stages.flatMap((stage) => [0, 0.5, 1].map((fraction) => progressAt(stage, fraction)));
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect([seen[0], seen.at(-1)]).toEqual([0, 1]);
  });
});

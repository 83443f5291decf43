import { describe, expect, it } from 'vitest';
import { type AudioStream, bestAudio } from '../../../platform/shared/media.ts';

const track = (index: number, facts: Partial<AudioStream> = {}): AudioStream => ({
  index,
  codec: 'aac',
  channels: 2,
  sample_rate: 48_000,
  language: null,
  is_default: false,
  is_special: false,
  start_ms: 0,
  ...facts,
});
const best = (audio: AudioStream[], language?: string) =>
  bestAudio({ container: 'mp4', duration_ms: 1, size_bytes: 1, video: null, audio }, language)?.index;

describe('bestAudio', () => {
  it('takes the default track, else the one with most channels, else the first', () => {
    expect(best([track(0), track(1, { is_default: true }), track(2, { channels: 6 })])).toBe(1);
    expect(best([track(0), track(1), track(2, { channels: 6 })])).toBe(2);
    expect(best([track(0), track(1)])).toBe(0);
  });

  it('takes the track of the language asked for before the default one', () => {
    const audio = [track(0, { is_default: true, language: 'en' }), track(1, { language: 'es' })];
    expect(best(audio, 'es-MX')).toBe(1);
    expect(best(audio, 'fr')).toBe(0);
  });

  it('takes a commentary only where there is nothing else', () => {
    const commentary = track(0, { is_default: true, is_special: true });
    expect(best([commentary, track(1)])).toBe(1);
    expect(best([commentary])).toBe(0);
    expect(best([])).toBeUndefined();
  });
});

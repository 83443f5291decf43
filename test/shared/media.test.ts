import { describe, expect, it } from 'vitest';
import { type AudioStream, chosenAudio } from '../../shared/media.ts';

const track = (index: number, facts: Partial<AudioStream> = {}): AudioStream => ({
  ...{ index, number: index + 1, title: null, codec: 'aac', channels: 2, sample_rate: 48_000 },
  ...{ language: null, is_default: false, is_special: false, start_ms: 0, ...facts },
});
const best = (audio: AudioStream[], language?: string) =>
  chosenAudio({ audio }, language === undefined ? {} : { language })?.track.index;

describe('the audio track that is transcribed', () => {
  it('is the default track, otherwise the one with most channels, otherwise the first', () => {
    expect(best([track(0), track(1, { is_default: true }), track(2, { channels: 6 })])).toBe(1);
    expect(best([track(0), track(1), track(2, { channels: 6 })])).toBe(2);
    expect(best([track(0), track(1)])).toBe(0);
  });

  it('has the requested language, even if another is the default track', () => {
    const audio = [track(0, { is_default: true, language: 'en' }), track(1, { language: 'es' })];
    expect(best(audio, 'es-MX')).toBe(1);
    expect(best(audio, 'fr')).toBe(0);
  });

  it('is a commentary only if there is no other', () => {
    const commentary = track(0, { is_default: true, is_special: true });
    expect(best([commentary, track(1)])).toBe(1);
    expect(best([commentary])).toBe(0);
    expect(best([])).toBeUndefined();
  });

  it('is the one with the requested number, or none if the file has no such track', () => {
    const audio = [track(0, { is_default: true }), track(1)];
    expect(chosenAudio({ audio }, { number: 2, language: 'en' })).toEqual({
      track: audio[1],
      choice: 'asked_for',
    });
    expect(chosenAudio({ audio }, { number: 3 })).toBeNull();
  });

  it.each([
    ['only', [track(0)]],
    ['language', [track(0, { is_default: true }), track(1, { language: 'es' })]],
    ['no_commentary', [track(0, { is_special: true, is_default: true }), track(1)]],
    ['default', [track(0, { channels: 6 }), track(1, { is_default: true })]],
    ['channels', [track(0), track(1, { channels: 6 })]],
    ['first', [track(0), track(1)]],
  ] as const)('has the reason %s', (choice, audio) => {
    expect(chosenAudio({ audio: [...audio] }, { language: 'es-MX' })?.choice).toBe(choice);
  });
});

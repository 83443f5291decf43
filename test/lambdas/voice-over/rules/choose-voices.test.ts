import { array, constantFrom, integer, option, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { espeakVoices } from '../../../../engines/speech/espeak.ts';
import { voicesFor } from '../../../../lambdas/voice-over/rules/choose-voices.ts';
import { forAny } from '../../../support/for-any.ts';

const speakers = array(
  record({
    speaker: option(constantFrom('Ana', 'Bea', 'Cid', 'Dov', 'Eva', 'Flo', 'Gus', 'Hal', 'Ida', 'Jon')),
    pitch_hz: option(integer({ min: 60, max: 350 })),
  }),
  { maxLength: 15 },
);

describe('the voices of speakers', () => {
  it('are one for each speaker, of the same gender, and different while there are enough voices', () => {
    forAny([speakers], (heard) => {
      const given = voicesFor(heard, espeakVoices);
      expect(new Set(given.keys())).toEqual(new Set(heard.map(({ speaker }) => speaker)));
      for (const [name, { gender }] of given) {
        const pitch_hz = heard.find(({ speaker }) => speaker === name)!.pitch_hz;
        if (pitch_hz !== null) expect(gender).toBe(pitch_hz < 160 ? 'male' : 'female');
      }
      for (const gender of ['female', 'male']) {
        const used = [...given.values()].filter((one) => one.gender === gender).map(({ id }) => id);
        expect(new Set(used).size).toBe(Math.min(used.length, 4));
      }
    });
  });

  it('stay the same if a speaker is added after them', () => {
    forAny([speakers], (heard) => {
      const before = voicesFor(heard.slice(0, -1), espeakVoices);
      const after = voicesFor(heard, espeakVoices);
      for (const [name, voice] of before) expect(after.get(name)).toEqual(voice);
    });
  });

  it('have a pitch near that of their speakers, if possible', () => {
    const given = voicesFor(
      [
        { speaker: 'low', pitch_hz: 86 },
        { speaker: 'high', pitch_hz: 250 },
        { speaker: null, pitch_hz: null },
      ],
      espeakVoices,
    );
    expect([...given.values()].map(({ id }) => id)).toEqual(['m2-low', 'f3-high', 'f2']);
  });

  it('have the other gender if the language has no voice of their gender', () => {
    const [ida] = [{ id: 'Ida', gender: 'female' as const, pitch_hz: 200 }];
    expect(voicesFor([{ speaker: 'Jon', pitch_hz: 100 }], [ida]).get('Jon')).toBe(ida);
  });
});

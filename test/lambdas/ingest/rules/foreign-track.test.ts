import { describe, expect, it } from 'vitest';
import { foreignTrack } from '../../../../lambdas/ingest/rules/foreign-track.ts';
import { languageByCode } from '../../../../shared/languages.ts';

const engine = { supports: (language: string | null) => language === null || language.startsWith('en') };
const track = (number: number, language: string | null, isChosen = false) => ({
  number,
  language,
  title: null,
  codec: 'aac',
  channels: 2,
  is_default: number === 1,
  chosen: isChosen ? ('default' as const) : null,
});
const judged = (tracks: ReturnType<typeof track>[], language_id: string | null = null) =>
  foreignTrack({ language_id, source_tracks: tracks }, engine);

describe('an audio track in a language that the engine does not support, according to the file,', () => {
  it('is not transcribed, and the error names the track that could be', () => {
    expect(judged([track(1, 'es', true), track(2, 'en')])).toMatchObject({
      code: 'language_uncertain',
      detail: expect.stringMatching(/track 1 is in Spanish.*track 2 with audio_track.*language_id/),
    });
  });

  it.each([
    ['the request names another language', judged([track(1, 'es', true)], languageByCode('en')!.language_id)],
    ['the engine supports the language', judged([track(1, 'en', true)])],
    ['the file states no language', judged([track(1, null, true)])],
    ['another track was chosen', judged([track(1, 'es'), track(2, 'en', true)])],
    ['there is no list of tracks', judged([])],
  ])('is transcribed if %s', (_, outcome) => {
    expect(outcome).toBeNull();
  });
});

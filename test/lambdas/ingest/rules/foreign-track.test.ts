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

describe('a track of which the file says that it is in a language that the engine does not know', () => {
  it('is not transcribed, and the track that could be is named', () => {
    expect(judged([track(1, 'es', true), track(2, 'en')])).toMatchObject({
      code: 'language_uncertain',
      detail: expect.stringMatching(/track 1 is in Spanish.*track 2 with audio_track.*language_id/),
    });
  });

  it.each([
    ['the request says otherwise', judged([track(1, 'es', true)], languageByCode('en')!.language_id)],
    ['the engine knows the language', judged([track(1, 'en', true)])],
    ['the file says nothing of it', judged([track(1, null, true)])],
    ['it is another that was chosen', judged([track(1, 'es'), track(2, 'en', true)])],
    ['there is no track at all', judged([])],
  ])('is transcribed where %s', (_, outcome) => {
    expect(outcome).toBeNull();
  });
});

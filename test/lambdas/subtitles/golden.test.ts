import { describe, expect, it } from 'vitest';
import { type CueOptions, cuesFromSegments } from '../../../lambdas/subtitles/rules/make-cues.ts';
import { writeSrt } from '../../../lambdas/subtitles/rules/srt.ts';
import { writeVtt } from '../../../lambdas/subtitles/rules/vtt.ts';
import { segmentsFromWords } from '../../../lambdas/transcripts/segmentation/rules/make-segments.ts';
import type { Word } from '../../../shared/segments.ts';
import { countingIds, segment, spoken } from './speech.ts';

/** People read the files in golden/ and judge them. After an improvement, update them with `vitest -u`. */
function cuesOf(words: Word[], language: string, options: CueOptions = {}) {
  return cuesFromSegments(segmentsFromWords(words, { newId: countingIds(), language }), {
    language,
    ...options,
  });
}

describe('subtitles match those of a person', () => {
  it('for an interview with two voices and a sound', async () => {
    const words = [
      ...spoken(
        'Good evening, and welcome to the programme.|300 With me tonight is Dr. Elena Ruiz, who has spent the last twelve years on the U.S. coast studying what happens to the sea when nobody is looking.|250 Dr. Ruiz, why the sea?',
        { speaker: 'Host' },
      ),
      ...spoken(
        'Oh.|200 Well.|300 Because it was there, I suppose.|500 And because my father told me never to go near it, e.g. at night, which for a child of seven is as good as an invitation.',
        { at: 17_600, speaker: 'Elena Ruiz' },
      ),
    ];
    const soundDescriptions = [
      { start_ms: 15_000, end_ms: 17_000, text: 'applause' },
      { start_ms: 31_500, end_ms: 36_000, text: 'music' },
    ];
    const cues = cuesOf(words, 'en', { soundDescriptions });
    await expect(writeVtt(cues, { flavor: 'standard', language: 'en' })).toMatchFileSnapshot(
      'golden/interview.standard.vtt',
    );
    await expect(writeVtt(cues, { flavor: 'simplified', language: 'en' })).toMatchFileSnapshot(
      'golden/interview.simplified.vtt',
    );
    await expect(writeSrt(cues, { language: 'en' })).toMatchFileSnapshot('golden/interview.srt');
  });

  it('for a talk by an engine without punctuation or capital letters', async () => {
    const words = spoken(
      "welcome to kinora|500 today i'm going to show you how a video becomes subtitles|900 first you upload the file in parts and the service checks every one of them|350 then it listens to what is said and writes down every word with the time at which it was spoken so that nothing is lost|1200 that is all",
    );
    await expect(writeSrt(cuesOf(words, 'en'))).toMatchFileSnapshot('golden/no-punctuation.srt');
  });

  it('for Japanese', async () => {
    const words = spoken(
      '今日は 、 皆さん 、 ようこそ 。|400 この ビデオ で は 、 字幕 が どの よう に 作ら れる か を 、 できる だけ 分かり やすく 説明 し ます 。|500 まず 、 ファイル を 小さな 部分 に 分けて アップロード し ます 。',
    );
    await expect(writeSrt(cuesOf(words, 'ja'))).toMatchFileSnapshot('golden/japanese.srt');
  });

  it('for Hebrew with Latin names', async () => {
    const words = spoken(
      'שלום וברוכים הבאים לסרטון על HTML5 שבו נסביר איך עובדות הכתוביות ברשת.|400 HTML5 הוא תקן של W3C.',
    );
    await expect(writeSrt(cuesOf(words, 'he'))).toMatchFileSnapshot('golden/hebrew.srt');
  });

  it('for a translation, which has no word times', async () => {
    const segments = [
      segment(
        'Aunque la comisión que fue nombrada por el presidente para investigar la desaparición de los documentos todavía no ha publicado su informe, nadie parece saber cuándo lo hará ni por qué tarda tanto en hacerlo.',
        1000,
        15_000,
        { speaker: 'Ana' },
      ),
      segment('Eso dicen.', 15_400, 15_900, { speaker: 'Luis' }),
    ];
    const file = writeVtt(cuesFromSegments(segments, { language: 'es' }), {
      flavor: 'standard',
      language: 'es',
    });
    await expect(file).toMatchFileSnapshot('golden/translation.standard.vtt');
  });
});

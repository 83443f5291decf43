/** The conformance suite for text analysis engines. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { EngineDeclaration } from '../../../engines/engine.ts';
import { MOST_ENTITIES, MOST_PHRASES, type TextAnalysis } from '../../../engines/text-analysis/port.ts';
import { englishNews, spanishNews } from './texts.ts';

export function describeConformance(declared: EngineDeclaration, make: () => Promise<TextAnalysis>): void {
  describe(`${declared.name} as an engine of text analysis`, () => {
    let engine: TextAnalysis;
    beforeAll(async () => {
      engine = await make();
    });

    it('detects English and Spanish, and no language if it is not sure', async () => {
      expect(await engine.languageOf(englishNews)).toBe('en');
      expect(await engine.languageOf(spanishNews)).toBe('es');
      expect(await engine.languageOf(['KINORA 2026', 'Xkcd'])).toBeNull();
      expect(await engine.languageOf([])).toBeNull();
    });

    it.each([
      ['en-GB', englishNews, ['Ana Ruiz', 'Seville', 'European Commission', 'Emmanuel Macron', 'Paris']],
      ['es', spanishNews, ['Ana Ruiz', 'Sevilla', 'Comisión Europea', 'Pedro Sánchez', 'París']],
    ])('finds each person, place and organization in %s once', async (language, passages, names) => {
      const { entities } = await engine.analyze(passages, { language });
      const texts = entities.map(({ text }) => text);
      expect(texts).toEqual(expect.arrayContaining(names));
      const distinct = new Set(entities.map(({ text, type }) => `${type} ${text.toLowerCase()}`));
      expect(distinct.size).toBe(entities.length);
      const typeOf = (name: string) => entities.find(({ text }) => text === name)!.type;
      expect(names.map(typeOf)).toEqual([
        'person',
        'location',
        'organization',
        expect.any(String),
        'location',
      ]);
    });

    it('returns positive or negative sentiment with its share', async () => {
      const of = async (text: string, language: string) =>
        (await engine.analyze([text], { language })).sentiment;
      expect(await of('A wonderful day, we love it, thank you!', 'en')).toMatchObject({
        label: 'Positive',
      });
      expect(await of('Una tragedia terrible: miedo, dolor y muerte.', 'es')).toMatchObject({
        label: 'Negative',
      });
      const plain = await of('The train leaves at nine and stops in two villages.', 'en');
      expect(plain).toMatchObject({ label: 'Neutral' });
      expect(plain!.score).toBeGreaterThan(1 / 3);
      expect(plain!.score).toBeLessThanOrEqual(1);
    });

    it('returns key phrases by relevance, the first with 1', async () => {
      const { keyPhrases } = await engine.analyze(englishNews, { language: 'en' });
      expect(keyPhrases[0]!.relevance).toBe(1);
      const relevance = keyPhrases.map((phrase) => phrase.relevance);
      expect(relevance).toEqual(relevance.toSorted((one, other) => other - one));
    });

    it('accepts an empty text, punctuation, invalid characters and a text of several hours of speech', async () => {
      for (const passages of [[], ['', '…'], ['\ud800', 'a\u0000b'], ['x'.repeat(12_000)]])
        await engine.analyze(passages, { language: 'en' });
      const hours = Array.from(
        { length: 400 },
        (_, i) => `${spanishNews[i % 5]} Número ${i}, Persona${i} Apellido${i}.`,
      );
      const found = await engine.analyze(hours, { language: 'es' });
      expect(found.entities.length).toBeLessThanOrEqual(MOST_ENTITIES);
      expect(found.keyPhrases.length).toBeLessThanOrEqual(MOST_PHRASES);
    });

    it('rejects a language that it does not declare', async () => {
      const refused = engine.analyze(['nuqneH'], { language: 'tlh' });
      await expect(refused).rejects.toMatchObject({ code: 'language_unsupported', retryable: false });
    });

    it('throws the reason of the signal if it is aborted', async () => {
      const signal = AbortSignal.abort(new Error('enough'));
      await expect(engine.analyze(englishNews, { language: 'en', signal })).rejects.toThrow('enough');
    });
  });
}

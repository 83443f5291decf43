/** The position of the line break in a cue. */
import { describe, expect, it } from 'vitest';
import { breakCost } from '../../../../lambdas/subtitles/rules/break-costs.ts';
import { findLanguageRules } from '../../../../lambdas/subtitles/rules/language-rules.ts';
import { layLines } from '../../../../lambdas/subtitles/rules/line-breaks.ts';
import { cuesFromSegments } from '../../../../lambdas/subtitles/rules/make-cues.ts';
import { atomsOf } from '../../../../lambdas/subtitles/rules/text.ts';
import { segment } from '../speech.ts';

const laid = (text: string, language: string) =>
  layLines(atomsOf(text), 42, findLanguageRules(language)).join(' / ');

describe('a line', () => {
  it.each([
    ['es', 'y algunos de ellos / no pueden oír las palabras.'],
    ['es', 'La mayoría de ellas / ha llegado tarde a la ciudad.'],
    ['en', 'Then some of them / cannot hear any of the words.'],
    ['fr', 'La plupart d’entre eux / ne peuvent rien entendre.'],
    ['de', 'Und einige von ihnen können / die Wörter nicht hören.'],
    ['pt', 'e alguns deles falam / com elas todas as manhãs.'],
    ['it', 'e alcuni di loro parlano / con lei tutte le mattine.'],
  ])('in %s does not separate words that belong together: %s', (language, lines) => {
    expect(laid(lines.replace(' / ', ' '), language)).toBe(lines);
  });

  it.each([
    ['en', 'They went on a very long journey to the old house.'],
    ['es', 'Fueron en un viaje muy largo a la casa de los abuelos.'],
    ['fr', 'Ils sont partis pour un long voyage vers la maison.'],
    ['de', 'Sie gingen auf eine lange Reise zu dem alten Haus.'],
    ['pt', 'Eles foram numa viagem longa para a casa dos avós.'],
  ])('in %s never ends with a preposition or an article: %s', (language, text) => {
    const rules = findLanguageRules(language);
    const last = laid(text, language).split(' / ')[0]!.split(' ').at(-1)!.toLowerCase();
    expect(rules.prepositions.has(last) || rules.clinging.has(last)).toBe(false);
  });

  it('does not start with a closing mark after a space, or with that space, in scripts without spaces', () => {
    expect(atomsOf('「 日本語です 」 と').map(({ text }) => text)).toEqual(['「 日本語', 'です 」', 'と']);
  });

  it.each([
    ['after a word', `la${' !'.repeat(60)}`],
    ['before a word', `${'( '.repeat(60)}la`],
    ['by themselves', '? '.repeat(60)],
  ])('contains only as many repeated marks as fit, %s', (_, text) => {
    const cues = cuesFromSegments([segment(text, 0, 9000)], { language: 'fr' });
    expect(Math.max(...cues.flatMap(({ lines }) => lines.map((line) => line.length)))).toBeLessThan(43);
  });

  it('is broken in linear time after half a million marks', () => {
    expect(breakCost(`${'"'.repeat(1 << 19)}x`, 'y', findLanguageRules('en'))).toBe(
      breakCost('x', 'y', findLanguageRules('en')),
    );
  });

  it('never starts with a closing mark or ends with an opening one, even if spaces surround them', () => {
    const texts = [
      'Il a demandé à son ami : « Est-ce que ça va ? » – « Non ! »',
      'Le magasin fait 50 % de rabais ( ou plus encore ) aux clients.',
    ];
    for (const text of texts)
      for (let cut = 1; cut < text.length; cut++)
        for (const line of layLines(atomsOf(text.slice(cut)), 20, findLanguageRules('fr')).slice(1))
          expect(line).toMatch(/^(?![?!:;»)%]).*(?<![«(])$/u);
    const one = segment(texts[0]!, 0, 6000);
    const cues = cuesFromSegments([one], { language: 'fr' }).map(({ lines }) => lines.join(' '));
    expect(cues.join(' ')).toBe(texts[0]);
    expect(cues[0]).toBe('Il a demandé à son ami : « Est-ce que ça va ? »');
  });
});

/** Where the two lines of a cue are parted. */
import { describe, expect, it } from 'vitest';
import { rulesOf } from '../../../lambdas/subtitles/rules/language.ts';
import { layLines } from '../../../lambdas/subtitles/rules/lines.ts';
import { atomsOf } from '../../../lambdas/subtitles/rules/text.ts';

const laid = (text: string, language: string) => layLines(atomsOf(text), 42, rulesOf(language)).join(' / ');

describe('a line', () => {
  it.each([
    ['es', 'y algunos de ellos / no pueden oír las palabras.'],
    ['es', 'La mayoría de ellas / ha llegado tarde a la ciudad.'],
    ['en', 'Then some of them / cannot hear any of the words.'],
    ['fr', 'La plupart d’entre eux / ne peuvent rien entendre.'],
    ['de', 'Und einige von ihnen können / die Wörter nicht hören.'],
    ['pt', 'e alguns deles falam / com elas todas as manhãs.'],
    ['it', 'e alcuni di loro parlano / con lei tutte le mattine.'],
  ])('in %s ends after what belongs together: %s', (language, lines) => {
    expect(laid(lines.replace(' / ', ' '), language)).toBe(lines);
  });

  it.each([
    ['en', 'They went on a very long journey to the old house.'],
    ['es', 'Fueron en un viaje muy largo a la casa de los abuelos.'],
    ['fr', 'Ils sont partis pour un long voyage vers la maison.'],
    ['de', 'Sie gingen auf eine lange Reise zu dem alten Haus.'],
    ['pt', 'Eles foram numa viagem longa para a casa dos avós.'],
  ])('in %s never ends with a preposition or an article: %s', (language, text) => {
    const rules = rulesOf(language);
    const last = laid(text, language).split(' / ')[0]!.split(' ').at(-1)!.toLowerCase();
    expect(rules.prepositions.has(last) || rules.clinging.has(last)).toBe(false);
  });
});

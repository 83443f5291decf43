/** Measures the quality and the speed of the translation of the demo film into Spanish, compared with a reference. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { translation } from '../engines/registry.ts';
import { choose, settingsFor } from '../engines/selection.ts';
import type { TranslationEngine } from '../engines/translation/port.ts';
import { translateWithMasks } from '../engines/translation/translate-with-masks.ts';
import { keeping, keptIn } from '../lambdas/translation/rules/protected-words.ts';
import { chrF } from '../test/support/chrf.ts';
import { median, type Report, type Row } from './report.ts';

const ROUNDS = 5;
/** How many times the film fits into an hour of speech, about 50,000 characters. */
const TIMES_AN_HOUR = 87;

const demo = join(import.meta.dirname, '../content/demo');
const linesOf = (name: string) => readFileSync(join(demo, name), 'utf8').trim().split('\n');

export async function run(): Promise<Report> {
  const english = linesOf('kinora-demo.txt');
  const spanish = linesOf('kinora-demo.es.txt');
  const choice = choose('translation', translation, { ENGINES: 'local' });
  if (choice.status === 'unavailable') throw new Error(choice.reason);
  const { engine: declared } = choice;
  const engine = await declared.make({ settings: settingsFor(declared, process.env) as never });
  const film = await timed(engine, english);
  const hour = await timed(engine, Array.from({ length: TIMES_AN_HOUR }, () => english).flat());
  const rows: Row[] = [
    { name: `The film, ${declared.name}`, values: [rounded(chrF(film.texts, spanish)), film.seconds] },
    { name: `An hour of it, ${declared.name}`, values: ['as above', hour.seconds] },
    { name: 'The film, not translated at all', values: [rounded(chrF(english, spanish)), '–'] },
    { name: 'The reference itself', values: [chrF(spanish, spanish), '–'] },
  ];
  return {
    title: 'Translation',
    method:
      'The eight sentences of the demo’s film from English into Spanish, as jobs translate them, against the reference in content/demo, ' +
      'which was written for it; chrF2 of 100 is the reference to the letter. Seconds are medians of ' +
      `${ROUNDS} rounds and hold the start of the engine’s programs. Eight sentences rank engines roughly, and say nothing of other texts.`,
    columns: ['chrF2', 'Seconds'],
    rows,
    void: null,
  };
}

async function timed(engine: TranslationEngine, sentences: readonly string[]) {
  const seconds: number[] = [];
  let texts: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    texts = await translateWithMasks(sentences, keeping(keptIn([])), (masked) =>
      engine.translate(masked, { source: 'en', target: 'es' }),
    );
    seconds.push((performance.now() - began) / 1000);
  }
  return { texts, seconds: median(seconds).toFixed(2) };
}

const rounded = (score: number) => score.toFixed(1);

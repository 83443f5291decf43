import { expect, it } from 'vitest';
import { remembering } from '../../../../lambdas/translation/actions/store-answers.ts';

function objects() {
  const kept = new Map<string, Buffer>();
  return {
    kept,
    read: async (key: string) => kept.get(key) ?? null,
    write: async (key: string, body: string | Uint8Array) => void kept.set(key, Buffer.from(body)),
  };
}

const request = { source: 'en', target: 'es' };
const sentences = Array.from({ length: 450 }, (_, nth) => `Sentence ${nth}.`);

it('a repeated step asks the engine only for sentences without a stored translation', async () => {
  const store = objects();
  const asked: number[] = [];
  let fails = true;
  const engine = {
    translate: async (texts: readonly string[]) => {
      asked.push(texts.length);
      if (fails && asked.length === 2) throw new Error('busy');
      return texts.map((text) => text.toUpperCase());
    },
  };
  const heard: [string, number][] = [];
  const answered = async (name: string, characters: number) => void heard.push([name, characters]);
  const translate = remembering(engine, { name: 'loud', objects: store, prefix: 'answers/', answered });
  await expect(translate(sentences, request)).rejects.toThrow('busy');
  // A stored answer is metered, even if the rest fails.
  expect(heard).toEqual([[expect.stringMatching(/^0#/), sentences.slice(0, 200).join('').length]]);
  fails = false;
  const reached: number[] = [];
  const onProgress = (fraction: number) => void reached.push(fraction);
  expect(await translate(sentences, { ...request, onProgress })).toEqual(
    sentences.map((text) => text.toUpperCase()),
  );
  expect(asked).toEqual([200, 200, 200, 50]);
  // The key is the same as before, so the answer counts once.
  expect(heard[1]).toEqual(heard[0]);
  expect(new Set(heard.map(([name]) => name)).size).toBe(3);
  expect(await translate(sentences, request)).toHaveLength(450);
  expect(asked).toHaveLength(4);
});

it('a stored translation is used only for the same engine, languages and sentences', async () => {
  const store = objects();
  const saying = (name: string) =>
    remembering(
      { translate: async (texts) => texts.map(() => name) },
      { name, objects: store, prefix: 'answers/', answered: async () => {} },
    );
  await saying('one')(['A.'], request);
  expect(await saying('two')(['A.'], request)).toEqual(['two']);
  expect(await saying('one')(['A.'], { ...request, target: 'fr' })).toEqual(['one']);
  expect(await saying('one')(['B.'], request)).toEqual(['one']);
  expect(store.kept.size).toBe(4);
});

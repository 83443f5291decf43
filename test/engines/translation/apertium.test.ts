import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addOpeningMark, apertium } from '../../../engines/translation/apertium.ts';
import { routeBetween } from '../../../engines/translation/language-routes.ts';
// @ts-expect-error plain JavaScript, since it runs before packages are there
import { tools } from '../../../scripts/bootstrap/engines.mjs';
import { hasApertium } from './apertium-installed.ts';

const made = (APERTIUM_PATH = 'apertium') => apertium.make({ settings: { APERTIUM_PATH } });

describe('the language routes of Apertium', () => {
  it('go through Spanish without a direct pair, and do not connect regions of one language', () => {
    const { pairs } = apertium;
    expect(routeBetween(pairs!, 'en-US', 'es')).toEqual(['en', 'es']);
    expect(routeBetween(pairs!, 'en', 'pt-BR')).toEqual(['en', 'es', 'pt']);
    expect(routeBetween(pairs!, 'en', 'en-GB')).toBeNull();
    expect(routeBetween(pairs!, 'en', 'de')).toBeNull();
  });

  it('need only packages that the setup installs and the error names', async () => {
    const { apt } = tools.find(({ commands }: { commands: string[] }) => commands.includes('apertium'))!;
    await expect(
      (await made('/nowhere/apertium')).translate(['Hi'], { source: 'en', target: 'es' }),
    ).rejects.toMatchObject({
      code: 'engine_unavailable',
      detail: expect.stringContaining(apt!.join(' ')),
    });
  });
});

describe('a Spanish sentence', () => {
  it('with half a million punctuation marks is processed in less than a second', () => {
    const marks = '?'.repeat(1 << 19);
    expect([addOpeningMark(`${marks}a`), addOpeningMark(`a"${marks}`)]).toEqual([`${marks}a`, `¿a"${marks}`]);
  });
});

describe.skipIf(!hasApertium())('Apertium', () => {
  const english = { source: 'en', target: 'es' };

  it('removes marks of unknown words, and spaces of dropped words', async () => {
    const [answer] = await (await made()).translate(
      ['When they wibble, they see the glorpful house.'],
      english,
    );
    expect(answer).toContain('wibble');
    expect(answer).not.toMatch(/[*@#]|<| {2}/);
  });

  it('keeps the capital at the start of a sentence, and adds none after a name', async () => {
    const answers = await (await made()).translate(['They see you.', 'Kinora is nice.'], english);
    expect(answers[0]).toMatch(/^\p{Lu}/u);
    expect(answers[1]).toMatch(/^Kinora es /);
  });

  it('removes the space before a full stop if a word was dropped', async () => {
    const [answer] = await (await made()).translate(['This is a lot of people.'], english);
    expect(answer).toMatch(/\p{L}\.$/u);
  });

  it('adds the opening marks of Spanish questions and exclamations', async () => {
    const asked = ['How are you?', '- Is it you?', 'Well, what is it?', 'They see you!', 'They see you.'];
    const answers = await (await made()).translate(asked, english);
    expect(answers.map((answer) => answer.replace(/[^,.?!¿¡-]+/gu, ' ').trim())).toEqual([
      '¿ ?',
      '- ¿ ?',
      ', ¿ ?',
      '¡ !',
      '.',
    ]);
    const [french] = await (await made()).translate(['How are you?'], { source: 'en', target: 'fr' });
    expect(french).not.toContain('¿');
  });

  it('translates the demo film as shown in the README', async () => {
    const shown = [...readFileSync('README.md', 'utf8').matchAll(/^ {2}\d\d:\d\d {2}(.+)$/gm)].map(
      ([, text]) => text!,
    );
    const half = shown.length / 2;
    expect(half).toBeGreaterThan(0);
    expect(await (await made()).translate(shown.slice(0, half), english)).toEqual(shown.slice(half));
  });

  it('ends all its programs if it is aborted', async () => {
    const aborted = new AbortController();
    const many = Array.from({ length: 3000 }, () => 'The house is red and the garden is green.');
    const running = (await made()).translate(many, { ...english, signal: aborted.signal });
    const own = () => childrenOf(process.pid);
    await expect.poll(own).not.toEqual([]);
    const [group] = own();
    aborted.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await expect.poll(() => inGroup(group!)).toEqual([]);
  });
});

const statOf = (pid: string): string[] => {
  try {
    // Format of proc(5): pid (command) state parent group …
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
};
const processes = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name));
const childrenOf = (parent: number) => processes().filter((pid) => statOf(pid)[1] === String(parent));
const inGroup = (group: string) =>
  processes().filter((pid) => statOf(pid)[2] === group && statOf(pid)[0] !== 'Z');

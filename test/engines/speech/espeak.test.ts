import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { espeak, espeakLanguages, espeakName, espeakVoices } from '../../../engines/speech/espeak.ts';
import { medianPitch } from '../../../media/sound/pitch.ts';
import { resample } from '../../../media/sound/resample.ts';
// @ts-expect-error plain JavaScript, since it runs before packages are there
import { tools } from '../../../scripts/bootstrap/engines.mjs';
import { languages } from '../../../shared/languages.ts';
import { hasEspeak } from './espeak-installed.ts';

const made = (ESPEAK_PATH = 'espeak-ng') => espeak.make({ settings: { ESPEAK_PATH } });

describe('the engine eSpeak NG', () => {
  it('maps BCP 47 tags to its languages, without those that it cannot read', () => {
    const unread = languages.filter(({ code }) => espeakName(code) === null).map(({ code }) => code);
    expect(unread.sort()).toEqual(['gl', 'he', 'ja', 'th', 'tl']);
    const names = ['en', 'en-AU', 'es-ES', 'es-MX', 'no', 'pt-BR', 'pt-PT', 'zh', 'zh-HK', 'fr-CA'].map(
      espeakName,
    );
    expect(names).toEqual([
      ...['en-us', 'en-gb', 'es', 'es-419', 'nb', 'pt-br', 'pt', 'cmn-latn-pinyin', 'yue', 'fr-fr'],
    ]);
  });

  it('is installed by the setup, and the error names the same package', async () => {
    const { apt } = tools.find(({ commands }: { commands: string[] }) => commands.includes('espeak-ng'))!;
    const asked = { language: 'es', voice: 'f2', rate: 1 };
    await expect((await made('/nowhere/espeak-ng')).speak('Hola', asked)).rejects.toMatchObject({
      code: 'engine_unavailable',
      detail: expect.stringContaining(apt!.join(' ')),
    });
  });
});

describe.skipIf(!hasEspeak())('eSpeak NG', () => {
  it('has every declared language and variant', () => {
    const listed = execFileSync('espeak-ng', ['--voices'], { encoding: 'utf8' });
    const names = new Set(listed.split('\n').map((line) => line.trim().split(/\s+/)[1]));
    for (const language of espeakLanguages) expect(names, language).toContain(espeakName(language));
    const variants = execFileSync('espeak-ng', ['--voices=variant'], { encoding: 'utf8' });
    for (const { variant } of espeakVoices) expect(variants).toMatch(new RegExp(`/${variant}\\s`));
  });

  it.each(espeakVoices)('speaks with the declared pitch: $id', async ({ id, pitch_hz }) => {
    const text = 'El zorro marrón salta sobre el perro perezoso, y nadie sabe por qué lo hizo así.';
    const { samples, sample_rate } = await (await made()).speak(text, { language: 'es', voice: id, rate: 1 });
    const measured = medianPitch(resample(samples, sample_rate, 16_000))!;
    expect(Math.abs(measured / pitch_hz - 1)).toBeLessThan(0.07);
  });

  it('reads Chinese with tones, in both scripts', async () => {
    const spoken = async (text: string, language: string) =>
      (await (await made()).speak(text, { language, voice: 'f2', rate: 1 })).samples.length / 22.05;
    // The text has seven syllables. In letters of pinyin, it would have more than twenty.
    expect(await spoken('今天在北京开会', 'zh')).toBeLessThan(2600);
    expect(await spoken('今天在臺灣開會', 'zh-TW')).toBeLessThan(2600);
  });
});

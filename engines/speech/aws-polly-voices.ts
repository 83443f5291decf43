/** The neural voices of Amazon Polly. */
import { LanguageCode, VoiceId } from '@aws-sdk/client-polly';
import { primarySubtag } from '../engine.ts';
import type { Voice } from './port.ts';

export interface PollyVoice extends Voice {
  readonly id: VoiceId;
  readonly code: LanguageCode;
}

/** From the Amazon Polly Developer Guide, "Neural voices", without children. Each line: tag [Polly's code if it differs] women | men. */
const table = `
en-US Joanna Ruth Danielle Kendra Kimberly Salli | Matthew Stephen Gregory Joey
en-GB Amy Emma | Brian Arthur
en-AU Olivia |
en-IE Niamh |
en-IN Kajal |
en-NZ Aria |
en-SG Jasmine |
en-ZA Ayanda |
es-ES Lucia | Sergio
es-MX Mia | Andres
es-US Lupe | Pedro
fr-FR Lea | Remi
fr-CA Gabrielle | Liam
fr-BE Isabelle |
de-DE Vicki | Daniel
de-AT Hannah |
de-CH Sabrina |
it-IT Bianca | Adriano
pt-PT Ines |
pt-BR Camila Vitoria | Thiago
nl-NL Laura |
nl-BE Lisa |
ca-ES Arlet |
cs-CZ Jitka |
da-DK Sofie |
fi-FI Suvi |
no-NO[nb-NO] Ida |
pl-PL Ola |
sv-SE Elin |
tr-TR Burcu |
ar-AE Hala | Zayd
hi-IN Kajal |
ja-JP Kazuha Tomoko | Takumi
ko-KR Seoyeon Jihye |
zh-CN[cmn-CN] Zhiyu |
yue-CN Hiujin |`;

/** The mean pitch of women and of men, hertz. Amazon does not publish the pitch of its voices. */
const TYPICAL_HZ = { female: 200, male: 115 } as const;

interface Line {
  readonly tag: string;
  readonly voices: readonly PollyVoice[];
}

const lines: readonly Line[] = table.trim().split('\n').map(parsed);

function parsed(line: string): Line {
  const [, tag = '', code, women = '', men = ''] = /^([\w-]+)(?:\[([\w-]+)\])? (.*)\|(.*)$/.exec(line) ?? [];
  const named = (names: string, gender: Voice['gender']) =>
    names
      .split(' ')
      .filter((id) => id !== '')
      .map((name) => ({
        id: memberOf(VoiceId, name),
        gender,
        pitch_hz: TYPICAL_HZ[gender],
        code: memberOf(LanguageCode, code ?? tag),
      }));
  return { tag, voices: [...named(women, 'female'), ...named(men, 'male')] };
}

function memberOf<Value extends string>(known: Readonly<Record<string, Value>>, text: string): Value {
  const found = Object.values(known).find((value) => value === text);
  if (found === undefined) throw new Error(`Amazon Polly has no "${text}"`);
  return found;
}

/** BCP 47. */
export const pollyLanguages: readonly string[] = lines.map(({ tag }) => tag);

const aliases: Readonly<Record<string, string>> = {
  nb: 'no',
  nn: 'no',
  cmn: 'zh',
  'zh-hk': 'yue',
  'zh-mo': 'yue',
};

/** Returns the voices of the tag's region first, then those of other regions: for two speakers, different accents are better than the same voice. */
export function pollyVoices(language: string): readonly PollyVoice[] {
  const lower = language.toLowerCase();
  const primary = aliases[lower] ?? aliases[primarySubtag(language)] ?? primarySubtag(language);
  const ofLanguage = lines.filter(({ tag }) => primarySubtag(tag) === primary);
  const ofRegion = ofLanguage.filter(({ tag }) => tag.toLowerCase() === lower);
  const others = ofLanguage.filter((line) => !ofRegion.includes(line));
  return [...ofRegion, ...others].flatMap(({ voices }) => voices);
}

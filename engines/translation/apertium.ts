/** Apertium: translates by rules, with the language pairs that Debian provides. `ENGINE_TRANSLATION=apertium` */
import { engineUnavailable, internalError, languageUnsupported } from '../../shared/job-errors.ts';
import { runProgram } from '../run-program.ts';
import { reachableFrom, routeBetween } from './language-routes.ts';
import { type TranslationEngine, type TranslationRequest, translationEngine } from './port.ts';
import { translateInBatches } from './translate-in-batches.ts';
import { translateWithMasks } from './translate-with-masks.ts';
import { untranslatableSpans } from './untranslatable-spans.ts';

/** Apertium's name of each language pair, because Apertium uses other language codes. */
const modes: Readonly<Record<string, string>> = {
  'en-es': 'eng-spa',
  'es-en': 'spa-eng',
  'es-fr': 'es-fr',
  'fr-es': 'fr-es',
  'es-pt': 'es-pt',
  'pt-es': 'pt-es',
  'es-it': 'spa-ita',
  'it-es': 'ita-spa',
  'es-ca': 'spa-cat',
  'ca-es': 'cat-spa',
};
const pairs = Object.keys(modes);
const languages = ['en', 'es', 'fr', 'pt', 'it', 'ca'];

/** scripts/bootstrap/engines.mjs installs the same packages. The Catalan pair needs cg3, but its package does not depend on cg3. */
const installCommand =
  'apt-get install apertium apertium-eng-spa apertium-fr-es apertium-es-pt apertium-spa-ita apertium-spa-cat cg3';

export const apertium = translationEngine({
  name: 'apertium',
  runs: ['local'],
  price: null,
  languages,
  pairs,
  moreLanguages: 'ENGINE_TRANSLATION can name an engine with more languages.',
  settings: {
    APERTIUM_PATH: { description: 'Path or name of apertium', default: 'apertium', program: true },
  },
  make: ({ settings }) => translator(settings.APERTIUM_PATH),
});

/** The size of a batch. A batch takes a few seconds, so progress is visible. Starting the program takes half a second. */
const BATCH_BYTES = 64 << 10;
const TIMEOUT_MS = 120_000;
/** The maximum output, bytes. A translation is at most 1.5 times as long as its source, so a larger output is an error. */
const MAX_OUTPUT_BYTES = 16 * BATCH_BYTES;
/** Limits for each program of the pipeline. Dictionaries need up to 200 MB. */
const LIMITS = { addresses_bytes: 2 << 30, cpu_s: TIMEOUT_MS / 1000, file_bytes: 1 << 20 };
/**
 * Apertium reopens /dev/stdin. This works with a pipe, but not with the sockets that Node gives to child processes. So `cat`
 * provides pipes. The option `--norc` is needed because Bash reads the user's .bashrc if standard input is a socket (manual,
 * "Invoked by remote shell daemon").
 */
const BETWEEN_PIPES = 'set -o pipefail; cat | "$@" | cat';
/** Apertium's deformatter ends a sentence at an empty line. */
const SEPARATOR = '\n\n';
/** The marks that Apertium adds to unknown words. If the source contains these characters, they are masked before the translation. */
const UNKNOWN_WORD_MARKS = /[*@#](?=\p{L})|<[a-z0-9_]+>/gu;

function translator(command: string): TranslationEngine {
  return {
    async translate(sentences, request) {
      const { source, target, signal, onProgress } = request;
      signal?.throwIfAborted();
      const route = routeBetween(pairs, source, target);
      if (route === null) throw unreachable(request);
      const legs = route.slice(1).flatMap((to, at) => modes[`${route[at]}-${to}`] ?? []);
      let done = 0;
      let texts = [...sentences];
      for (const mode of legs) {
        const onLeg = (fraction: number) => onProgress?.((done + fraction) / legs.length);
        texts = await translateLeg(command, mode, texts, { signal, onProgress: onLeg });
        done += 1;
      }
      // Apertium's translations into Spanish lack the opening marks ¿ and ¡.
      return /^es(?:-|$)/i.test(target) ? texts.map(addOpeningMark) : texts;
    },
  };
}

function translateLeg(
  command: string,
  mode: string,
  sentences: readonly string[],
  following: Pick<TranslationRequest, 'signal' | 'onProgress'>,
): Promise<string[]> {
  const batching = { max_bytes: BATCH_BYTES, separator: SEPARATOR, ...following };
  return translateWithMasks(sentences, { spans: untranslatableSpans }, async (texts) => {
    const answers = await translateInBatches(texts, batching, async (text) =>
      (await runPipeline(command, mode, text, following.signal)).replace(UNKNOWN_WORD_MARKS, ''),
    );
    return texts.map((text, at) => tidy(text, answers[at] ?? ''));
  });
}

const SPACE_BEFORE_MARK = / (?=[.,](?:\s|$))/gu;
const FIRST_WORD = /^[^\p{L}]*\p{L}+/u;

/** Removes extra spaces and wrong capitals. Apertium leaves them where a rule moves or drops a word. */
function tidy(text: string, translation: string): string {
  if (!/\p{L}/u.test(text)) return translation;
  const spaced = translation.replace(/ {2,}/g, ' ').trim();
  // Example: "a lot of people." → "muchas personas ."
  const answer = text.search(SPACE_BEFORE_MARK) >= 0 ? spaced : spaced.replace(SPACE_BEFORE_MARK, '');
  const [first = ''] = FIRST_WORD.exec(text) ?? [];
  const isSameFirst = first !== '' && answer.startsWith(`${first} `);
  // Example: "Kinora is" → "Kinora Es"
  if (isSameFirst && /^ \p{Ll}/u.test(text.slice(first.length))) {
    const at = first.length + 1;
    return answer.slice(0, at) + answer.charAt(at).toLowerCase() + answer.slice(at + 1);
  }
  const isCapital = /^\P{L}*\p{Lu}/u.test(text);
  return isCapital
    ? answer.replace(/^(\P{L}*)(\p{Ll})/u, (_, before, letter) => before + letter.toUpperCase())
    : answer;
}

const unreachable = ({ source, target }: TranslationRequest) =>
  languageUnsupported(
    `Apertium cannot translate from "${source}" to "${target}". ` +
      `Choose one of: ${reachableFrom({ languages, pairs }, source).join(', ') || 'none'}.`,
  );

/** Runs the pipeline of a language pair. The program receives the text only on standard input. */
async function runPipeline(command: string, mode: string, text: string, signal: AbortSignal | undefined) {
  const { output, log, hasSucceeded } = await runProgram({
    command: '/bin/bash',
    args: ['--norc', '-c', BETWEEN_PIPES, 'bash', command, '-u', mode],
    input: text,
    limits: LIMITS,
    path: '/usr/local/bin:/usr/bin:/bin',
    timeout_ms: TIMEOUT_MS,
    max_output_bytes: MAX_OUTPUT_BYTES,
    signal,
    failures: {
      missing: `Apertium is not installed. Install it: ${installCommand}`,
      late: 'Apertium did not finish 64 KiB of text in two minutes.',
      tooMuch: 'Apertium returned much more text than expected.',
    },
  });
  const answer = output.toString('utf8');
  const said = `${log}${answer}`;
  const isEmpty = answer.trim() === '' && text.includes(SEPARATOR);
  if (hasSucceeded && !isEmpty && !/command not found/.test(log)) return answer;
  if (/Mode \S+ does not exist|modes.* does not exist|command not found/.test(said))
    throw engineUnavailable(`Apertium lacks a package for ${mode}. Install it: ${installCommand}`);
  throw internalError('Apertium stopped with an error.', new Error(said.slice(-2000)));
}

/** Matches the question or exclamation mark at the end. The lookbehind prevents quadratic time for texts with many closing marks. */
const CLOSING_MARK = /(?<![?!"'”’»)\]])["'”’»)\]]*([?!])[?!"'”’»)\]]*$/u;
const BEFORE_SENTENCE = /^[\s"'“‘«\p{Pd}…]*/u;
/** In "Bueno, qué es?", the question starts after the comma. */
const BEFORE_QUESTION =
  /^.*, (?=(?:(?:a|con|de|en|para|por) )?(?:qué|quién|quiénes|cuál|cuáles|cuándo|cuánt[oa]s?|dónde|cómo)(?!\p{L}))/u;

export function addOpeningMark(sentence: string): string {
  const mark = CLOSING_MARK.exec(sentence)?.[1];
  if (mark === undefined || /[¿¡]/.test(sentence)) return sentence;
  const before = (mark === '?' && BEFORE_QUESTION.exec(sentence)) || BEFORE_SENTENCE.exec(sentence);
  const at = before?.[0].length ?? 0;
  const isText = /[\p{L}\p{N}]/u.test(sentence[at] ?? '');
  return isText ? `${sentence.slice(0, at)}${mark === '?' ? '¿' : '¡'}${sentence.slice(at)}` : sentence;
}

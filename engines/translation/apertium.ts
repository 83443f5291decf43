/** The local default: Apertium, translation by rules, with the pairs of languages that Debian and Ubuntu package. */
import { spawn } from 'node:child_process';
import { confineProgram } from '../../media/ffmpeg/confine-program.ts';
import {
  engineUnavailable,
  internalError,
  type JobError,
  languageUnsupported,
  timedOut,
} from '../../shared/job-errors.ts';
import { reachableFrom, routeBetween } from './language-routes.ts';
import { type TranslationEngine, type TranslationRequest, translationEngine } from './port.ts';
import { opened } from './spanish-punctuation.ts';
import { inBatches } from './translate-in-batches.ts';
import { translatedKeeping } from './translate-with-masks.ts';
import { opaqueSpans } from './untranslatable-spans.ts';

/** Apertium's names of the pairs: each package has its own taste in codes. */
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

/** scripts/bootstrap/engines.mjs installs the same. The pair of Catalan calls cg-proc and does not depend on its package. */
const installCommand =
  'apt-get install apertium apertium-eng-spa apertium-fr-es apertium-es-pt apertium-spa-ita apertium-spa-cat cg3';

export const apertium = translationEngine({
  name: 'apertium',
  runs: ['local'],
  price: null,
  languages,
  pairs,
  moreLanguages: 'ENGINE_TRANSLATION may name an engine that knows more.',
  settings: {
    APERTIUM_PATH: { description: 'Path or name of apertium', default: 'apertium', program: true },
  },
  permissions: {},
  make: ({ settings }) => translator(settings.APERTIUM_PATH),
});

/** A start takes half a second, most of it for dictionaries; a batch of this size some seconds, so that progress shows. */
const BATCH_BYTES = 64 << 10;
const TIMEOUT_MS = 120_000;
/** Translations are at most some half longer; what goes on beyond is no translation. */
const MAX_OUTPUT_BYTES = 16 * BATCH_BYTES;
/** Of each program of the pipeline: dictionaries take up to 200 MB. */
const LIMITS = { addresses_bytes: 2 << 30, cpu_s: TIMEOUT_MS / 1000, file_bytes: 1 << 20 };
/**
 * It opens /dev/stdin anew, which a pipe allows, and not the sockets that Node gives its children. Bash takes a socket for a
 * login from afar and would read the user's .bashrc: hence `--norc` (its manual, "Invoked by remote shell daemon").
 */
const BETWEEN_PIPES = 'set -o pipefail; cat | "$@" | cat';
/** All that the programs know of their surroundings. */
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' };
/** The deformatter ends a sentence at an empty line, whatever it ends with. */
const SEPARATOR = '\n\n';
/** Before words that were not found in one of the dictionaries. Signs of the text itself are masked. */
const MARKS = /[*@#](?=\p{L})|<[a-z0-9_]+>/gu;

function translator(command: string): TranslationEngine {
  return {
    async translate(sentences, request) {
      const { source, target, signal, onProgress } = request;
      signal?.throwIfAborted();
      const route = routeBetween(pairs, source, target);
      if (route === null) throw unreachable(request);
      const legs = route.slice(1).map((to, at) => modes[`${route[at]!}-${to}`]!);
      let done = 0;
      let texts = [...sentences];
      for (const mode of legs) {
        const onLeg = (fraction: number) => onProgress?.((done + fraction) / legs.length);
        texts = await leg(command, mode, texts, { signal, onProgress: onLeg });
        done += 1;
      }
      // The pairs into Spanish leave these marks out.
      return /^es(?:-|$)/i.test(target) ? texts.map(opened) : texts;
    },
  };
}

function leg(
  command: string,
  mode: string,
  sentences: readonly string[],
  following: Pick<TranslationRequest, 'signal' | 'onProgress'>,
): Promise<string[]> {
  const batching = { max_bytes: BATCH_BYTES, separator: SEPARATOR, ...following };
  return translatedKeeping(sentences, { spans: opaqueSpans }, async (texts) => {
    const answers = await inBatches(texts, batching, async (text) =>
      (await run(command, mode, text, following.signal)).replace(MARKS, ''),
    );
    return texts.map((text, at) => tidied(text, answers[at]!));
  });
}

const LOOSE_MARKS = / (?=[.,](?:\s|$))/gu;
const FIRST_WORD = /^[^\p{L}]*\p{L}+/u;

/** Rules that move or drop words leave their spaces, and capitals where none belong. */
function tidied(text: string, translation: string): string {
  if (!/\p{L}/u.test(text)) return translation;
  const spaced = translation.replace(/ {2,}/g, ' ').trim();
  // "a lot of people." → "muchas personas ."
  const answer = text.search(LOOSE_MARKS) >= 0 ? spaced : spaced.replace(LOOSE_MARKS, '');
  const [first = ''] = FIRST_WORD.exec(text) ?? [];
  const isSameFirst = first !== '' && answer.startsWith(`${first} `);
  // "Kinora is" → "Kinora Es"
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
    `The local translator (Apertium) has no way from "${source}" to "${target}". ` +
      `Choose one of: ${reachableFrom({ languages, pairs }, source).join(', ') || 'none'}.`,
  );

/** What the pair's pipeline makes of a text. The text goes in by standard input alone. */
async function run(
  command: string,
  mode: string,
  text: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const shell = ['--norc', '-c', BETWEEN_PIPES, 'bash', command, '-u', mode];
  const [program, ...args] = confineProgram('/bin/bash', shell, LIMITS);
  // A group of its own, so that all programs of the pipeline end at once.
  const child = spawn(program, args, { stdio: 'pipe', env: environment, detached: true });
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const ending = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const end = () => endGroup(child.pid);
  ending.addEventListener('abort', end, { once: true });
  try {
    const exiting = new Promise<{ code: number | null; failure?: Error }>((resolve) => {
      child.once('error', (failure) => resolve({ code: null, failure }));
      child.once('close', (code) => resolve({ code }));
    });
    // A program that ends early breaks the pipe; its exit says why.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
    const logging = collected(child.stderr, end);
    const answer = await collected(child.stdout, end);
    const [exit, log] = [await exiting, await logging];
    signal?.throwIfAborted();
    if (deadline.aborted)
      throw timedOut('The local translator did not finish 64 KiB of text in two minutes.');
    const isBroken = /command not found/.test(log) || (answer.trim() === '' && text.includes(SEPARATOR));
    if (exit.failure || exit.code !== 0 || isBroken) throw whyFailed(mode, exit, `${log}${answer}`);
    return answer;
  } finally {
    ending.removeEventListener('abort', end);
    end();
  }
}

async function collected(stream: NodeJS.ReadableStream, end: () => void): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.length;
    if (bytes > MAX_OUTPUT_BYTES) {
      end();
      throw internalError('The local translator answered with far more text than it was given.');
    }
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The group is gone where it ended by itself. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function whyFailed(
  mode: string,
  { code, failure }: { code: number | null; failure?: Error },
  said: string,
): JobError {
  const errno = (failure as NodeJS.ErrnoException | undefined)?.code;
  // The codes of a shell that found no such command, or none that it may run.
  const isMissing = errno === 'ENOENT' || errno === 'EACCES' || code === 127 || code === 126;
  if (isMissing)
    return engineUnavailable(`Apertium is not installed. Install it: ${installCommand}`, failure);
  if (/Mode \S+ does not exist|modes.* does not exist|command not found/.test(said)) {
    return engineUnavailable(`Apertium lacks what ${mode} needs. Install it: ${installCommand}`);
  }
  return internalError('The local translator stopped before it was done.', new Error(said.slice(-2000)));
}

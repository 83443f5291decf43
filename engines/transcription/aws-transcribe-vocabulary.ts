/**
 * Custom vocabularies of Amazon Transcribe: the words that are expected in a piece, told to the service before its job
 * begins. Each is made for one piece and removed with its job, since an account has a hundred of them.
 */
import {
  CreateVocabularyCommand,
  DeleteVocabularyCommand,
  GetVocabularyCommand,
  type LanguageCode,
  type TranscribeClient,
} from '@aws-sdk/client-transcribe';
import { writableIn } from './aws-transcribe-characters.ts';

export interface VocabularyParts {
  readonly client: Pick<TranscribeClient, 'send'>;
  /** Writes an object of the media bucket. */
  writeObject(key: string, text: string): Promise<void>;
  /** Where that is: `s3://bucket/key`. */
  addressOf(key: string): string;
}

export interface Vocabulary {
  readonly name: string;
  readonly language: LanguageCode;
  readonly terms: readonly string[];
  /** Where its table goes. */
  readonly key: string;
}

/** Quotas of Amazon Transcribe: 50 KB a vocabulary, 256 characters an entry. */
const MAX_BYTES = 50_000;
const MAX_CHARACTERS = 255;
/** Developer guide, "Creating a custom vocabulary using a table". The two columns between are read no longer. */
const heading = 'Phrase\tSoundsLike\tIPA\tDisplayAs';
const SPELT = /^\p{Lu}{2,5}$/u;

/**
 * The table of the words, as the service reads it: words of a phrase are joined by hyphens, and what may be spelt out stands
 * there as letters, too. Null where none can be written so: digits and marks cannot, nor letters that the language has not, nor what
 * no longer fits.
 */
export function vocabularyTable(terms: readonly string[], language: LanguageCode): string | null {
  const rows = new Set<string>();
  let bytes = Buffer.byteLength(heading);
  for (const term of terms) {
    for (const row of rowsOf(term.normalize('NFC').trim(), language)) {
      const more = Buffer.byteLength(row) + 1;
      if (rows.has(row) || bytes + more > MAX_BYTES) continue;
      rows.add(row);
      bytes += more;
    }
  }
  return rows.size === 0 ? null : `${[heading, ...rows].join('\n')}\n`;
}

function rowsOf(term: string, language: LanguageCode): string[] {
  const phrase = term.replaceAll('’', "'").split(/\s+/u).join('-');
  const ways = SPELT.test(phrase) ? [phrase, `${[...phrase].join('.')}.`] : [phrase];
  return ways
    .map((way) => writableIn(language, way))
    .flatMap((way) => (way === null || way.length > MAX_CHARACTERS ? [] : [`${way}\t\t\t${term}`]));
}

/**
 * Makes the vocabulary, or looks how far it is; once, however often it is asked for.
 * @returns none where the service cannot have it: what is heard is written by the rules of the lists all the same
 */
export async function prepared(
  { client, writeObject, addressOf }: VocabularyParts,
  { name: VocabularyName, language, terms, key }: Vocabulary,
): Promise<'ready' | 'pending' | 'none'> {
  const state = await stateOf({ client }, VocabularyName);
  if (state !== null) return state;
  const table = vocabularyTable(terms, language);
  if (table === null) return 'none';
  await writeObject(key, table);
  const VocabularyFileUri = addressOf(key);
  try {
    await client.send(
      new CreateVocabularyCommand({ VocabularyName, LanguageCode: language, VocabularyFileUri }),
    );
    return 'pending';
  } catch (error) {
    const { name } = error as Error;
    // Another attempt of the step made it meanwhile.
    if (name === 'ConflictException') return 'pending';
    // An account that has as many as it may, or a language that takes none.
    if (name === 'LimitExceededException' || name === 'BadRequestException') return 'none';
    throw error;
  }
}

/** Removes it; that there is none is as good. False while it is being made, which cannot be stopped. */
export async function removed(
  { client }: Pick<VocabularyParts, 'client'>,
  VocabularyName: string,
): Promise<boolean> {
  const state = await stateOf({ client }, VocabularyName);
  if (state === 'pending') return false;
  if (state === null) return true;
  await unlessGone(async () => client.send(new DeleteVocabularyCommand({ VocabularyName })));
  return true;
}

async function stateOf(
  { client }: Pick<VocabularyParts, 'client'>,
  VocabularyName: string,
): Promise<'ready' | 'pending' | 'none' | null> {
  const found = await unlessGone(async () => client.send(new GetVocabularyCommand({ VocabularyName })));
  if (found === null) return null;
  if (found.VocabularyState === 'READY') return 'ready';
  return found.VocabularyState === 'FAILED' ? 'none' : 'pending';
}

/** Null for what is not there; what was never made is a bad request, too. */
async function unlessGone<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    if (['BadRequestException', 'NotFoundException'].includes((error as Error).name)) return null;
    throw error;
  }
}

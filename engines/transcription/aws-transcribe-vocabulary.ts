/**
 * Custom vocabularies of Amazon Transcribe: the expected words of a piece. Each vocabulary is made for one piece and deleted
 * with its job, because an account may have only 100 vocabularies.
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
  /** The address of an object: `s3://bucket/key`. */
  addressOf(key: string): string;
}

export interface Vocabulary {
  readonly name: string;
  readonly language: LanguageCode;
  readonly terms: readonly string[];
  /** Key of the object for its table. */
  readonly key: string;
}

/** Quotas of Amazon Transcribe: 50 KB for a vocabulary, 256 characters for an entry. */
const MAX_BYTES = 50_000;
const MAX_CHARACTERS = 255;
/** Developer guide, "Creating a custom vocabulary using a table". Transcribe ignores the two middle columns. */
const heading = 'Phrase\tSoundsLike\tIPA\tDisplayAs';
const ACRONYM = /^\p{Lu}{2,5}$/u;

/**
 * Returns the table of the terms. Hyphens join the words of a phrase. An acronym has a second row with its letters. Terms are left out
 * if they contain digits, symbols or letters of other languages, or if the table is full. Null if no term is left.
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
  const ways = ACRONYM.test(phrase) ? [phrase, `${[...phrase].join('.')}.`] : [phrase];
  return ways
    .map((way) => writableIn(language, way))
    .flatMap((way) => (way === null || way.length > MAX_CHARACTERS ? [] : [`${way}\t\t\t${term}`]));
}

/**
 * Creates the vocabulary, or returns the state of an existing one. Idempotent.
 * @returns 'none' if the service cannot have the vocabulary. The rules of the word lists still apply to the transcript.
 */
export async function prepareVocabulary(
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
    // Another attempt of the step has created it in the meantime.
    if (name === 'ConflictException') return 'pending';
    // The account has no room for another vocabulary, or the language does not support vocabularies.
    if (name === 'LimitExceededException' || name === 'BadRequestException') return 'none';
    throw error;
  }
}

/**
 * Deletes the vocabulary. Succeeds if it does not exist. Returns false while the service creates it, because the
 * service cannot stop that.
 */
export async function deleteVocabulary(
  { client }: Pick<VocabularyParts, 'client'>,
  VocabularyName: string,
): Promise<boolean> {
  const state = await stateOf({ client }, VocabularyName);
  if (state === 'pending') return false;
  if (state === null) return true;
  await nullIfMissing(async () => client.send(new DeleteVocabularyCommand({ VocabularyName })));
  return true;
}

async function stateOf(
  { client }: Pick<VocabularyParts, 'client'>,
  VocabularyName: string,
): Promise<'ready' | 'pending' | 'none' | null> {
  const found = await nullIfMissing(async () => client.send(new GetVocabularyCommand({ VocabularyName })));
  if (found === null) return null;
  if (found.VocabularyState === 'READY') return 'ready';
  return found.VocabularyState === 'FAILED' ? 'none' : 'pending';
}

/** Returns null if the vocabulary does not exist. Transcribe answers BadRequestException if it never existed. */
async function nullIfMissing<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    if (['BadRequestException', 'NotFoundException'].includes((error as Error).name)) return null;
    throw error;
  }
}

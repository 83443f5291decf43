/** Creates and deletes custom vocabularies of Amazon Transcribe. Each is deleted with its job, because an account may have only 100. */
import {
  CreateVocabularyCommand,
  DeleteVocabularyCommand,
  GetVocabularyCommand,
  type GetVocabularyCommandOutput,
  type LanguageCode,
  type TranscribeClient,
} from '@aws-sdk/client-transcribe';
import { writableIn } from './aws-transcribe-characters.ts';
import { askTranscribe, nullIfMissing } from './aws-transcribe-requests.ts';

export interface VocabularyParts {
  readonly client: Pick<TranscribeClient, 'send'>;
  /** The bucket to which `writeObject` writes. */
  readonly output_bucket: string;
  writeObject(key: string, text: string): Promise<void>;
}

export interface Vocabulary {
  readonly name: string;
  readonly language: LanguageCode;
  readonly terms: readonly string[];
  readonly key: string;
}

/** Quotas of Amazon Transcribe: 50 KB for a vocabulary, fewer than 256 characters for an entry. */
const MAX_BYTES = 50_000;
const MAX_CHARACTERS = 255;
/** Developer guide, "Creating a custom vocabulary using a table". Transcribe ignores the two middle columns. */
const heading = 'Phrase\tSoundsLike\tIPA\tDisplayAs';
const ACRONYM = /^\p{Lu}{2,5}$/u;

/** Returns the table of the terms, two rows for an acronym. Omits terms with digits, symbols or foreign letters. Null if no term is left. */
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
 * Creates the vocabulary. Idempotent. Returns 'none' if Transcribe rejects it: then only rules correct the transcript. Returns 'full'
 * while the account has 100 vocabularies, or 10 that are not ready (developer guide, "Guidelines and quotas"). Other jobs will delete
 * their vocabularies.
 */
export async function prepareVocabulary(
  { client, output_bucket, writeObject }: VocabularyParts,
  { name: VocabularyName, language, terms, key }: Vocabulary,
): Promise<'ready' | 'pending' | 'full' | 'none'> {
  const state = await stateOf({ client }, VocabularyName);
  if (state !== null) return state;
  const table = vocabularyTable(terms, language);
  if (table === null) return 'none';
  await askTranscribe(() => writeObject(key, table));
  const input = { VocabularyName, LanguageCode: language, VocabularyFileUri: `s3://${output_bucket}/${key}` };
  return askTranscribe<'pending' | 'full' | 'none'>(
    async () => {
      await client.send(new CreateVocabularyCommand(input));
      return 'pending';
    },
    {
      onError({ name }) {
        // Another attempt of the step has created it in the meantime.
        if (name === 'ConflictException') return { answer: 'pending' };
        if (name === 'LimitExceededException') return { answer: 'full' };
        // The language may not support vocabularies.
        return name === 'BadRequestException' ? { answer: 'none' } : undefined;
      },
    },
  );
}

/** Deletes a vocabulary. Succeeds if it does not exist. Returns false while Transcribe still creates it, because it cannot be deleted then. */
export async function deleteVocabulary({ client }: Pick<VocabularyParts, 'client'>, VocabularyName: string) {
  const state = await stateOf({ client }, VocabularyName);
  if (state === 'pending') return false;
  if (state === null) return true;
  const command = new DeleteVocabularyCommand({ VocabularyName });
  await askTranscribe<unknown>(() => client.send(command), { onError: nullIfMissing });
  return true;
}

async function stateOf({ client }: Pick<VocabularyParts, 'client'>, VocabularyName: string) {
  const command = new GetVocabularyCommand({ VocabularyName });
  const found = await askTranscribe<GetVocabularyCommandOutput | null>(() => client.send(command), {
    onError: nullIfMissing,
  });
  if (found === null) return null;
  if (found.VocabularyState === 'READY') return 'ready';
  return found.VocabularyState === 'FAILED' ? 'none' : 'pending';
}

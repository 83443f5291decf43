/** Translates a transcription into one language, whole or in part, and stores the result as a new version. */
import { translation as engines } from '../../../engines/registry.ts';
import type { TranslationEngine } from '../../../engines/translation/port.ts';
import { translateWithMasks } from '../../../engines/translation/translate-with-masks.ts';
import { requireReserved } from '../../../platform/admission/demand.ts';
import { Canceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { derivedKey } from '../../../platform/objects/media-objects.ts';
import { declarationOf, doneBy, engineFor } from '../../../platform/runtime/engines.ts';
import { usageOf } from '../../../platform/runtime/usage.ts';
import type { Usage } from '../../../platform/usage/metering.ts';
import { type AssetId, asJobId, type TenantId } from '../../../shared/ids.ts';
import { languageUnsupported } from '../../../shared/job-errors.ts';
import type { Segment } from '../../../shared/segments.ts';
import { findTemplate } from '../../settings/records/template-options.ts';
import {
  type StoredTranscription,
  versionChange,
} from '../../transcripts/lineage/records/transcription-items.ts';
import type { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { type Content, isBehind, missingFrom } from '../../transcripts/lineage/rules/missing.ts';
import { translationIdOf } from '../../transcripts/lineage/rules/staleness.ts';
import { wordListsOf } from '../../transcripts/segmentation/records/word-lists.ts';
import { languageOf, whyUnreachable } from '../rules/language-pairs.ts';
import { keeping, keptIn } from '../rules/protected-words.ts';
import { withoutUnwanted } from '../rules/remove-unwanted-words.ts';
import {
  charactersOf,
  type Original,
  omittedAfter,
  originalsOf,
  type Plan,
  planTranslation,
  translatedSegments,
  withRetranslated,
} from '../rules/translated-segments.ts';
import { remembering } from './store-answers.ts';
import type { TranslationServices } from './translation-services.ts';

type Services = Omit<TranslationServices, 'assets'> & { readonly engine?: () => Promise<TranslationEngine> };

interface Wanted {
  readonly job_id: string;
  /** When the job was created. Its usage counts in that month. */
  readonly created_at: string;
  readonly asset_id: AssetId;
  readonly template_id: string | null;
  readonly language_id: string;
  /** Ids of original segments, which may have been deleted. Null means all segments. */
  readonly segment_ids: readonly string[] | null;
  /** The transcription to translate. By default, the newest one of the asset. */
  readonly transcription_id?: string;
  /** The characters that were reserved from the tenant's quotas. The text can be longer now. */
  readonly held?: number | undefined;
}

interface Working {
  readonly now: () => Date;
  readonly newId: () => string;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

interface Translated {
  readonly transcription_id: string;
  readonly version: number;
  /** The number of characters of the original that the engine received. */
  readonly characters: number;
  /** The number of originals that still have no translation. */
  readonly missing_count: number;
  /** Segments of the request that the original no longer has: at most `MOST_NAMED`. */
  readonly deleted_segment_ids: readonly string[];
}

/** The maximum number of deleted segments that a result names. */
const MOST_NAMED = 20;

/**
 * Translates into one language. A repeat finds the version of the first run and changes nothing. Usage is metered even
 * if the job fails later, because the provider charges for it. Throws a JobError, or Canceled.
 */
export async function translateInto(
  wanted: Wanted,
  working: Working,
  services: Services,
): Promise<Translated> {
  const { transcriptions } = services;
  const heads = await transcriptions.list(wanted.asset_id);
  const source = originalOf(heads, wanted.transcription_id);
  const target = languageOf(wanted.language_id);
  const original = {
    segments: await transcriptions.segments(source),
    language: languageOf(source.language_id).code,
  };
  const before = heads.find(
    ({ source, language_id }) => source === 'translated' && language_id === target.language_id,
  );
  const named = before === undefined || wanted.segment_ids === null ? null : new Set(wanted.segment_ids);
  const plan = planTranslation(
    original,
    named,
    before === undefined ? { segments: [] } : await transcriptions.content(before),
  );
  const isMade = before?.made_by?.job_id === wanted.job_id;
  if (!isMade) requireReserved(charactersOf(plan), wanted.held, 'text');
  const head = isMade
    ? before
    : await storeTranslation({ wanted, source, original, plan, before }, working, services);
  const { tenant, objects } = services;
  const { asset_id, job_id, language_id } = wanted;
  await objects.deleteAll(answersPrefix(tenant, asset_id, job_id, language_id));
  // Someone may have edited the original before this translation existed. Such an edit could not mark the translation
  // as stale.
  const { version } = await transcriptions.get(wanted.asset_id, source.transcription_id).catch(whenDeleted);
  if (version !== source.version) await transcriptions.markStale(head);
  const characters = head.made_by?.characters ?? charactersOf(plan);
  const { origins, needed } = originalsOf(original);
  const missing = missingFrom(await transcriptions.content(head).catch(whenDeleted), needed);
  return {
    transcription_id: head.transcription_id,
    version: head.made_by?.version ?? head.version,
    characters,
    missing_count: missing.length,
    deleted_segment_ids: (wanted.segment_ids ?? []).filter((id) => !origins.has(id)).slice(0, MOST_NAMED),
  };
}

interface Planned {
  readonly wanted: Wanted;
  readonly source: StoredTranscription;
  readonly original: Original;
  readonly plan: Plan;
  readonly before: StoredTranscription | undefined;
}

const translationEngine = async () => engineFor('translation', engines, {});

async function storeTranslation(
  { wanted, source, original, plan, before }: Planned,
  working: Working,
  { tenant, table, transcriptions, objects, engine = translationEngine }: Services,
): Promise<StoredTranscription> {
  const { asset_id, job_id, language_id } = wanted;
  const target = languageOf(language_id);
  const choice = declarationOf('translation');
  const refusal = whyUnreachable(choice, languageOf(source.language_id), target);
  if (refusal !== null) throw languageUnsupported(refusal);
  const named = await findTemplate(wanted.template_id, { table, tenant });
  const { blacklist, whitelist, dictionary } = await wordListsOf(table, tenant, named, target.code);
  const keptWords = [...whitelist, ...Object.keys(dictionary)];
  const names = keptIn(keptWords);
  const { signal, onProgress } = working;
  const request = { source: original.language, target: target.code, signal, onProgress };
  const answers = answersPrefix(tenant, asset_id, job_id, language_id);
  const name = choice.status === 'available' ? choice.engine.name : '';
  const metered = metering(wanted, charactersOf(plan), usageOf(table, tenant));
  const translate = remembering(await engine(), {
    name,
    objects,
    prefix: answers,
    answered: metered.answered,
  });
  const translated = await translateWithMasks(
    plan.sentences.map(({ text }) => text),
    keeping(names),
    (sentences) => translate(sentences, request),
  );
  await metered.rest();
  const texts = translated.map(withoutUnwanted(blacklist, keptWords, target.code));
  signal.throwIfAborted();
  const created_at = before?.created_at ?? working.now().toISOString();
  const transcription_id = before?.transcription_id ?? translationIdOf(source.transcription_id, language_id);
  const made = { transcription_id, created_at: source.created_at, language: target.code };
  const fresh = translatedSegments(original, plan, { texts, translation: made, names });
  const characters = charactersOf(plan);
  if (before === undefined) {
    const head = {
      ...{ transcription_id, asset_id, language_id },
      ...{ source: 'translated' as const, version: 1, stale: false, segment_count: fresh.length },
      ...{ created_at, updated_at: created_at, made_by: { job_id, version: 1, characters } },
    };
    const omitted = omittedAfter({ segments: [] }, original, plan, fresh);
    await transcriptions.create(head, fresh, omitted).catch(whenDeleted);
    const there = await transcriptions.get(asset_id, transcription_id).catch(whenDeleted);
    if (there.made_by?.job_id === job_id) return there;
    // Another job created the translation first. This result becomes the next version of that translation.
  }
  const making = (content: Content) => {
    return { job_id, characters, stale: isBehind(content, originalsOf(original)) };
  };
  const omitting = (content: Content, after: readonly Segment[]) =>
    omittedAfter(content, original, plan, after);
  const change = (segments: readonly Segment[], { made_by }: StoredTranscription) =>
    made_by?.job_id === job_id ? null : withRetranslated(segments, original, plan, fresh);
  // The document is named after the job's id, so a repeat overwrites the document of a crashed attempt.
  const description = versionChange('translated', wanted.segment_ids?.length ?? plan.places.size);
  const editor = { now: working.now(), newId: () => job_id, making, omitting, description };
  return transcriptions.edit(asset_id, transcription_id, editor, change).catch(whenDeleted);
}

/**
 * Meters each answer after it is stored, even if the job fails later. The sum is the number of characters of the
 * sentences. It does not change if names are masked or sentences are sent twice.
 */
function metering({ job_id, language_id, created_at }: Wanted, all: number, usage: Usage) {
  let left = all;
  const answered = async (name: string, characters: number): Promise<void> => {
    const quantity = Math.min(left, characters);
    if (quantity === 0) return;
    left -= quantity;
    await usage.record({
      use_id: `${job_id}#${language_id}#${name}`,
      meter: 'translated_characters',
      quantity,
      at: created_at,
      job_id: asJobId(job_id),
      by: doneBy('translation'),
    });
  };
  return { answered, rest: () => answered('rest', left) };
}

export const answersPrefix = (tenant: TenantId, assetId: AssetId, jobId: string, languageId?: string) =>
  derivedKey(tenant, assetId, {
    step: 'translating',
    version: jobId,
    name: languageId === undefined ? '' : `${languageId}/`,
  });

/**
 * Reverts the results of a canceled job, unless someone edited them. Removes the transcription if the job made its
 * first version. Otherwise restores the version before the job.
 */
export async function takeBack(
  jobId: string,
  assetId: AssetId,
  { now, newId }: Pick<Working, 'now' | 'newId'>,
  transcriptions: Transcriptions,
): Promise<void> {
  for (const head of await transcriptions.list(assetId)) {
    const isOurs = head.made_by?.job_id === jobId && head.made_by.version === head.version;
    if (!isOurs) continue;
    if (head.version === 1) {
      await transcriptions.withdraw(head, jobId);
      continue;
    }
    const { segments, omitted } = await transcriptions.content(
      await transcriptions.atVersion(head, head.version - 1),
    );
    // This id differs from the job's id, so that a repeat does not revert this version too.
    const making = () => ({ job_id: `without ${jobId}`, stale: true });
    const description = versionChange('restored', segments.length, head.version - 1);
    await transcriptions.edit(
      assetId,
      head.transcription_id,
      { now: now(), newId, making, omitting: () => omitted, description },
      (_, current) => (current.version === head.version ? segments : null),
    );
  }
  await transcriptions.removeUnnamed(assetId, jobId);
}

/** The transcription to translate: the newest transcribed one, or the one with the given id. */
function originalOf(heads: readonly StoredTranscription[], id: string | undefined): StoredTranscription {
  const heard = heads.filter(({ source }) => source === 'transcribed');
  const found =
    id === undefined ? heard.at(-1) : heard.find(({ transcription_id }) => transcription_id === id);
  // The transcription existed when the job was recorded. If it is missing now, the asset is being deleted.
  if (found === undefined) throw new Canceled();
  return found;
}

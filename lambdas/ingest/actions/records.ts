/** What all steps of the ingest machine share: the records that they change. Without S3, whose client is half a bundle. */

import { Jobs } from '../../../platform/jobs/records.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import type { AssetId } from '../../../platform/shared/ids.ts';
import type { IngestOwn } from '../../../platform/shared/ingest-jobs.ts';
import { languageById } from '../../../platform/shared/languages.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { configurationKey } from '../../../platform/store/keys.ts';
import { Usage } from '../../../platform/usage/records.ts';
import { Assets } from '../../assets/records/assets.ts';
import { transcriptionsOf } from '../../transcripts/records/transcriptions.ts';
import type { WordLists } from '../../transcripts/rules/listed-words.ts';
import type { Asked } from '../rules/outcomes.ts';

/** @param table that of whoever publishes, for steps that do */
export const ingestRecords = (tenant: TenantId, table = coreTable(tenant)) => {
  return {
    tenant,
    assets: new Assets(table, tenant),
    jobs: new Jobs<'ingest', IngestOwn>(table, tenant, 'ingest'),
    transcriptions: { list: (assetId: AssetId) => transcriptionsOf(table, tenant, assetId) },
    usage: new Usage(table, tenant),
    templates: {
      /** What the asset's template asks for; null where it has none, or it was deleted. */
      find: async (id: string | null): Promise<Asked | null> =>
        id === null ? null : table.get<Asked>(configurationKey(tenant, 'templates', id)),
    },
    /** The words of the template's lists: of blacklists, those in the language (BCP 47) that is spoken. */
    wordLists: async (asked: Asked | null, language: string): Promise<WordLists> => {
      const all = <List>(type: string, ids: readonly string[] | null | undefined) =>
        Promise.all((ids ?? []).map((id) => table.get<List>(configurationKey(tenant, type, id)))).then(
          (found) => found.filter((list) => list !== null),
        );
      const [black, white, terms] = await Promise.all([
        all<{ words: string[]; language_id: string }>('blacklists', asked?.blacklist_ids),
        all<{ words: string[] }>('whitelists', asked?.whitelist_ids),
        all<{ dictionary: Record<string, string[]> }>('dictionaries', asked?.domain_dictionary_ids),
      ]);
      const isSpoken = (id: string) => primary(languageById(id)?.code) === primary(language);
      return {
        blacklist: black.flatMap(({ words, language_id }) => (isSpoken(language_id) ? words : [])),
        whitelist: white.flatMap(({ words }) => words),
        dictionary: Object.fromEntries(terms.flatMap(({ dictionary }) => Object.entries(dictionary))),
      };
    },
  };
};

/** `en` of `en-US`: a list of English words is for all who speak it. */
const primary = (code: string | undefined) => code?.toLowerCase().split('-')[0];

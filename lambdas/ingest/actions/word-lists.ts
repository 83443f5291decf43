/** The words of the lists that a template names. */
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { languageById } from '../../../platform/shared/languages.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { configurationKey } from '../../../platform/store/keys.ts';
import type { WordLists } from '../../transcripts/rules/listed-words.ts';
import type { Asked } from '../rules/outcomes.ts';

/**
 * What the lists hold that are still there: of blacklists, those in the language that is spoken.
 * @param language BCP 47
 */
export async function wordListsOf(
  tenant: TenantId,
  asked: Asked | null,
  language: string,
): Promise<WordLists> {
  const table = coreTable(tenant);
  const all = async <List>(type: string, ids: readonly string[] | null | undefined): Promise<List[]> => {
    const found = (ids ?? []).map((id) => table.get<List>(configurationKey(tenant, type, id)));
    return (await Promise.all(found)).filter((list) => list !== null);
  };
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
}

/** `en` of `en-US`: a list of English words is for all who speak it. */
const primary = (code: string | undefined) => code?.toLowerCase().split('-')[0];

/** Reads the word lists of a template. */
import { configurationKey } from '../../../../platform/table/keys.ts';
import type { TenantTable } from '../../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../../shared/ids.ts';
import { languageById } from '../../../../shared/languages.ts';
import type { WordLists } from '../rules/apply-word-lists.ts';

export interface NamedLists {
  readonly blacklist_ids?: readonly string[] | null;
  readonly whitelist_ids?: readonly string[] | null;
  readonly domain_dictionary_ids?: readonly string[] | null;
}

/**
 * The words of the lists that still exist. A blacklist is used only if it is in the language of the text.
 * @param named null if there is no template
 * @param language BCP 47, or null if it is not known yet
 */
export async function wordListsOf(
  table: TenantTable,
  tenant: TenantId,
  named: NamedLists | null,
  language: string | null,
): Promise<WordLists> {
  const all = <List>(type: string, ids: readonly string[] | null | undefined) =>
    table.getAll<List>((ids ?? []).map((id) => configurationKey(tenant, type, id)));
  const [black, white, terms] = await Promise.all([
    all<{ words?: string[]; language_id: string }>(
      'blacklists',
      language === null ? null : named?.blacklist_ids,
    ),
    all<{ words?: string[] }>('whitelists', named?.whitelist_ids),
    all<{ dictionary?: Record<string, string[]> }>('dictionaries', named?.domain_dictionary_ids),
  ]);
  const isOf = (id: string) => language !== null && primary(languageById(id)?.code) === primary(language);
  return {
    blacklist: black.flatMap(({ words = [], language_id }) => (isOf(language_id) ? words : [])),
    whitelist: white.flatMap(({ words = [] }) => words),
    dictionary: Object.fromEntries(terms.flatMap(({ dictionary = {} }) => Object.entries(dictionary))),
  };
}

/** `en` for `en-US`: a list of English words applies to all regions. */
const primary = (code: string | undefined) => code?.toLowerCase().split('-')[0];

/** Speakers of an asset: made where segments name somebody new, and the lists that the asset is found in by their names. */

import type { AssetChildren } from '../../../../platform/records/asset-children.ts';
import { derivedId } from '../../../../shared/derived-ids.ts';
import type { AssetId } from '../../../../shared/ids.ts';
import { isUuid } from '../../../../shared/ids.ts';
import { NotUnique } from '../../../../shared/problems.ts';
import type { Assets } from '../../../assets/records/assets.ts';
import { isMeantBy, requireListable, type Speaker } from '../rules/speakers.ts';

interface Records {
  readonly assets: Assets;
  readonly speakers: AssetChildren<Speaker>;
}

/** Ids of segments that a request derives from its own are below that. */
const FIRST_ID = 1000;

/** Which of the names are new to the asset; ids are of speakers, or of nothing. Throws payload_too_large. */
export function newNames(given: readonly string[], known: readonly Speaker[]): string[] {
  const fresh = [...new Set(given)].filter((name) => !isUuid(name) && !known.some(isMeantBy(name)));
  const names = known.map(({ name }) => name);
  requireListable(names, [...names, ...fresh], '/segments');
  return fresh;
}

/**
 * Makes a speaker of each name that is new. A repeat of the request makes none again.
 * @param given the names that the request has, in its order
 * @param known the speakers that the asset has now
 * @returns all of its speakers, and those that were there before the request's first run
 */
export async function withNewSpeakers(
  assetId: AssetId,
  given: readonly string[],
  known: readonly Speaker[],
  requestId: string,
  now: Date,
  records: Pick<Records, 'speakers'>,
): Promise<{ speakers: Speaker[]; before: Speaker[] }> {
  const distinct = [...new Set(given)];
  const idOf = (name: string) => derivedId(requestId, FIRST_ID + distinct.indexOf(name));
  const own = new Set(distinct.map(idOf));
  const at = now.toISOString();
  const speakers = [...known];
  // Another request that named the same person at the same moment was faster.
  const itsHolder = async (error: unknown) => {
    if (!(error instanceof NotUnique)) throw error;
    return records.speakers.get(assetId, error.holderId);
  };
  for (const name of newNames(distinct, known)) {
    const speaker_id = idOf(name);
    const fresh = { speaker_id, asset_id: assetId, name, version: 1, created_at: at, updated_at: at };
    speakers.push(await records.speakers.create(assetId, speaker_id, fresh).catch(itsHolder));
  }
  const before = known.filter(({ speaker_id }) => !own.has(speaker_id));
  return { speakers, before };
}

/** Lists the asset under the names that its speakers have now. */
export async function relist(assetId: AssetId, now: Date, { assets, speakers }: Records): Promise<void> {
  const names = (await speakers.list(assetId)).map(({ name }) => name);
  await assets.relist(assetId, 'speakers', names, now);
}

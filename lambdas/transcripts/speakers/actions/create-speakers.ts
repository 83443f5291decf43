/** Creates the speakers that segments name for the first time. Updates the lists by speaker name. */
import type { AssetChildren } from '../../../../platform/records/asset-children.ts';
import { derivedId } from '../../../../shared/derived-ids.ts';
import { type AssetId, isUuid } from '../../../../shared/ids.ts';
import { NotUnique } from '../../../../shared/problems.ts';
import { firstVersion } from '../../../../shared/versions.ts';
import type { Assets } from '../../../assets/records/assets.ts';
import { isMeantBy, requireListable, type Speaker } from '../rules/speakers.ts';

/** The first number for ids of speakers. A request uses lower numbers for the ids of its segments. */
const FIRST_ID = 1000;

/**
 * The given names that no speaker of the asset has yet. A text in the form of an id is not a name. Throws
 * payload_too_large if the names of the asset's speakers would need too many bytes.
 */
export function newNames(given: readonly string[], known: readonly Speaker[]): string[] {
  const fresh = [...new Set(given)].filter((name) => !isUuid(name) && !known.some(isMeantBy(name)));
  const names = known.map(({ name }) => name);
  requireListable(names, [...names, ...fresh], '/segments');
  return fresh;
}

interface Naming {
  readonly assetId: AssetId;
  /** The names in the order of the request. */
  readonly names: readonly string[];
  readonly known: readonly Speaker[];
  readonly requestId: string;
  readonly now: Date;
}

/**
 * Creates a speaker for each new name. A repeat of the request creates no speaker.
 * @returns all speakers of the asset, and the speakers that existed before the first run of the request
 */
export async function withNewSpeakers(
  { assetId, names, known, requestId, now }: Naming,
  records: AssetChildren<Speaker>,
): Promise<{ speakers: Speaker[]; before: Speaker[] }> {
  const distinct = [...new Set(names)];
  const idOf = (name: string) => derivedId(requestId, FIRST_ID + distinct.indexOf(name));
  const own = new Set(distinct.map(idOf));
  const speakers = [...known];
  // If another request created a speaker with this name at the same time, uses that speaker.
  const existing = async (error: unknown) => {
    if (!(error instanceof NotUnique)) throw error;
    return records.get(assetId, error.holderId);
  };
  for (const name of newNames(distinct, known)) {
    const speaker_id = idOf(name);
    const fresh = { speaker_id, asset_id: assetId, name, ...firstVersion(now) };
    speakers.push(await records.create(assetId, speaker_id, fresh).catch(existing));
  }
  const before = known.filter(({ speaker_id }) => !own.has(speaker_id));
  return { speakers, before };
}

/** Updates the lists, so that the asset is found by the current names of its speakers. */
export async function relist(
  assetId: AssetId,
  now: Date,
  { assets, speakers }: { readonly assets: Assets; readonly speakers: AssetChildren<Speaker> },
): Promise<void> {
  const names = (await speakers.list(assetId)).map(({ name }) => name);
  await assets.relist(assetId, 'speakers', names, now);
}

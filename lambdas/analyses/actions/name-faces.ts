/** Faces as callers see them: the finding, the name that callers set, and a temporary URL of the picture. */

import { ADDRESS_LIFETIME_S, type Presigner } from '../../../platform/objects/presigner.ts';
import type { AssetChildren } from '../../../platform/records/asset-children.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { NotFound, UnknownReference } from '../../../shared/problems.ts';
import type { Speaker } from '../../transcripts/speakers/rules/speakers.ts';
import type { AnalysisResults } from '../records/analysis-results.ts';
import type { FaceNaming } from '../rules/analysis-types.ts';
import type { FoundFace } from '../rules/faces.ts';

export interface FaceServices {
  readonly results: AnalysisResults;
  readonly namings: AssetChildren<FaceNaming>;
  readonly speakers: AssetChildren<Speaker>;
  readonly addresses: Presigner;
}

export interface NamedFace extends FoundFace {
  readonly name: string | null;
  readonly speaker_id: string | null;
}

/** All faces of an asset with their names. Leaves out speakers that were deleted. */
export async function listNamedFaces(
  assetId: AssetId,
  { results, namings, speakers }: FaceServices,
): Promise<NamedFace[]> {
  const [faces, names] = await Promise.all([results.list(assetId, 'faces'), namings.list(assetId)]);
  const byFace = new Map(names.map((naming) => [naming.face_id, naming]));
  const hasSpeakers = names.some(({ speaker_id }) => speaker_id !== null);
  const existing = new Set(
    hasSpeakers ? (await speakers.list(assetId)).map(({ speaker_id }) => speaker_id) : [],
  );
  return faces.map((face) => {
    const { name = null, speaker_id = null } = byFace.get(face.face_id) ?? {};
    return { ...face, name, speaker_id: speaker_id !== null && existing.has(speaker_id) ? speaker_id : null };
  });
}

export interface Naming {
  readonly name?: string | null;
  readonly speaker_id?: string | null;
}

/** Throws NotFound, unknown_reference for a speaker that the asset does not have, and precondition_failed. */
export async function nameFace(
  { asset_id, face_id }: { readonly asset_id: AssetId; readonly face_id: string },
  { name, speaker_id }: Naming,
  { now, ifMatch }: { readonly now: Date; readonly ifMatch?: string | undefined },
  { results, namings, speakers }: FaceServices,
): Promise<{ face: NamedFace; version: number }> {
  const found = (await results.list(asset_id, 'faces')).find((face) => face.face_id === face_id);
  if (found === undefined) throw new NotFound('face', face_id);
  const isKnown = !speaker_id || (await speakers.find(asset_id, speaker_id)) !== null;
  if (!isKnown) throw new UnknownReference([{ pointer: '/speaker_id', kind: 'speaker', id: speaker_id }]);
  const at = now.toISOString();
  const unnamed = { face_id, name: null, speaker_id: null, version: 1, created_at: at, updated_at: at };
  await namings.create(asset_id, face_id, unnamed);
  const changes = { ...(name !== undefined && { name }), ...(speaker_id !== undefined && { speaker_id }) };
  const { version, ...naming } = await namings.change(asset_id, face_id, changes, now, ifMatch);
  return { face: { ...found, name: naming.name, speaker_id: naming.speaker_id }, version };
}

/** A face as the contract defines it. The face embedding stays private. */
export async function faceView(
  { face_id, name, speaker_id, confidence, appearances, thumbnail }: NamedFace,
  addresses: Presigner,
  now: Date,
) {
  const expires_at = new Date(now.getTime() + ADDRESS_LIFETIME_S * 1000).toISOString();
  const address = thumbnail ? { url: await addresses.download(thumbnail), expires_at } : null;
  return { face_id, name, speaker_id, confidence, appearances, thumbnail: address };
}

/** Faces as callers see them: the finding, the name that callers set, and a temporary URL of the picture. */
import { addressEnd, type Presigner } from '../../../platform/objects/presigner.ts';
import type { AssetChildren } from '../../../platform/records/asset-children.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { NotFound, UnknownReference } from '../../../shared/problems.ts';
import { firstVersion } from '../../../shared/versions.ts';
import type { Speaker } from '../../transcripts/speakers/rules/speakers.ts';
import type { AnalysisResults } from '../records/analysis-results.ts';
import type { FaceNaming } from '../rules/analysis-types.ts';
import type { FoundFace } from '../rules/faces.ts';

interface FaceServices {
  readonly results: AnalysisResults;
  readonly namings: AssetChildren<FaceNaming>;
  readonly speakers: AssetChildren<Speaker>;
  readonly addresses: Presigner;
}

type NamedFace = FoundFace & Pick<FaceNaming, 'name' | 'speaker_id'>;

/** All faces of an asset with their names. Leaves out speakers that were deleted. */
export async function listNamedFaces(
  assetId: AssetId,
  { results, namings, speakers }: FaceServices,
): Promise<NamedFace[]> {
  const [faces, names] = await Promise.all([results.list(assetId, 'faces'), namings.list(assetId)]);
  const byFace = new Map(names.map((naming) => [naming.face_id, naming]));
  const hasSpeakers = names.some(({ speaker_id }) => speaker_id !== null);
  const existing = new Set<string | null>(
    hasSpeakers ? (await speakers.list(assetId)).map(({ speaker_id }) => speaker_id) : [],
  );
  return faces.map((face) => {
    const { name = null, speaker_id = null } = byFace.get(face.face_id) ?? {};
    return { ...face, name, speaker_id: existing.has(speaker_id) ? speaker_id : null };
  });
}

/** Names a face. Throws unknown_reference if the asset does not have the speaker. */
export async function nameFace(
  { asset_id, face_id }: { readonly asset_id: AssetId; readonly face_id: string },
  { name, speaker_id }: Partial<Pick<FaceNaming, 'name' | 'speaker_id'>>,
  { now, ifMatch }: { readonly now: Date; readonly ifMatch?: string | undefined },
  { results, namings, speakers }: FaceServices,
): Promise<{ face: NamedFace; version: number }> {
  const found = (await results.list(asset_id, 'faces')).find((face) => face.face_id === face_id);
  if (found === undefined) throw new NotFound('face', face_id);
  const isKnown = !speaker_id || (await speakers.find(asset_id, speaker_id)) !== null;
  if (!isKnown) throw new UnknownReference([{ pointer: '/speaker_id', kind: 'speaker', id: speaker_id }]);
  await namings.create(asset_id, face_id, { face_id, name: null, speaker_id: null, ...firstVersion(now) });
  const changes = { ...(name !== undefined && { name }), ...(speaker_id !== undefined && { speaker_id }) };
  const { version, ...naming } = await namings.change(asset_id, face_id, { set: changes, now, ifMatch });
  return { face: { ...found, name: naming.name, speaker_id: naming.speaker_id }, version };
}

/** A face as the contract defines it. The face embedding stays private. */
export async function faceView(
  { face_id, name, speaker_id, confidence, appearances, thumbnail }: NamedFace,
  addresses: Presigner,
  now: Date,
) {
  const address = thumbnail
    ? { url: await addresses.download(thumbnail), expires_at: addressEnd(now) }
    : null;
  return { face_id, name, speaker_id, confidence, appearances, thumbnail: address };
}

import * as contract from '../../../build/contract/speakers.js';
import { created, noContent, ok, pageOfChildren } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { NotFound } from '../../../shared/problems.ts';
import { firstVersion, shownOf } from '../../../shared/versions.ts';
import { refuse } from '../segments/rules/edit-segments.ts';
import { relist } from '../speakers/actions/create-speakers.ts';
import { labelledIn, relabel } from '../speakers/actions/relabel-segments.ts';
import { transcriptRecordsOf } from '../speakers/records/speakers.ts';
import { requireListable } from '../speakers/rules/speakers.ts';

const services = (tenant: TenantId) => transcriptRecordsOf(coreTable(tenant), mediaObjects(tenant), tenant);

export const handler = resource(contract, services, {
  createSpeaker: async ({ params, body, now, newId, newResourceId }, services) => {
    const { asset_id } = params;
    const { name, label } = body;
    const fresh = { speaker_id: newResourceId, asset_id, name, ...firstVersion(now) };
    const known = await services.speakers.list(asset_id);
    const names = known.map(({ name }) => name);
    requireListable(names, [...names, name], '/name');
    const meant = { label: label ?? name, ownId: newResourceId };
    const { was, isThere } = await labelledIn(asset_id, meant, known, services.transcriptions);
    if (label !== undefined && !isThere) {
      await services.assets.get(asset_id);
      const detail = `No segment has the label ${JSON.stringify(label)}.`;
      refuse([{ pointer: '/label', code: 'not_found', detail }]);
    }
    const speaker = await services.speakers.create(asset_id, newResourceId, fresh);
    const as = { speaker: speaker.name, speaker_id: speaker.speaker_id };
    await relabel(asset_id, { was, as }, { now, newId }, services.transcriptions);
    await relist(asset_id, now, services);
    const path = `/v1/assets/${asset_id}/speakers/${speaker.speaker_id}`;
    return created(shownOf(speaker), path, String(speaker.version));
  },

  listSpeakers: async ({ params, query }, { assets, speakers }) => {
    const { asset_id } = await assets.get(params.asset_id);
    return pageOfChildren(query, {
      path: `/v1/assets/${asset_id}/speakers`,
      filters: ['speakers', asset_id],
      page: (position, size) => speakers.page(asset_id, position, size),
      show: shownOf,
    });
  },

  updateSpeaker: async ({ params, body, now, ifMatch }, services) => {
    const { asset_id, speaker_id } = params;
    const renamed = body.name === undefined ? {} : { name: body.name };
    const known = await services.speakers.list(asset_id);
    const names = known.map(({ name }) => name);
    const next = known.map((one) => (one.speaker_id === speaker_id ? { ...one, ...renamed } : one).name);
    requireListable(names, next, '/name');
    const speaker = await services.speakers.change(asset_id, speaker_id, { set: renamed, now, ifMatch });
    await relist(asset_id, now, services);
    return ok(shownOf(speaker), String(speaker.version));
  },

  deleteSpeaker: async ({ params, now, newId, ifMatch }, services) => {
    const { asset_id, speaker_id } = params;
    const speaker = await services.speakers.find(asset_id, speaker_id);
    if (speaker === null) {
      // The first run of this request may have deleted the speaker, and then failed to update the lists.
      await relist(asset_id, now, services);
      throw new NotFound('speaker', speaker_id);
    }
    await services.speakers.delete(asset_id, speaker_id, ifMatch);
    // Until the segments are changed, readers show no speaker, because the speaker's record is already deleted. The name
    // stays as a plain label.
    const change = { was: new Set([speaker_id]), as: { speaker: speaker.name, speaker_id: null } };
    await relabel(asset_id, change, { now, newId }, services.transcriptions);
    await relist(asset_id, now, services);
    return noContent();
  },
});

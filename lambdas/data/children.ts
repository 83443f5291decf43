/** The kinds of children that assets have. */
import type { CenterOfInterest } from '../domain/analyses.ts';
import type { StoredAudioTrack } from '../domain/audio-tracks.ts';
import type { SoundDescription } from '../domain/sound-descriptions.ts';
import type { Speaker } from '../domain/speakers.ts';
import type { TenantId } from '../domain/tenant.ts';
import { AssetChildren } from './asset-children.ts';
import type { TenantTable } from './table.ts';

export const speakersOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<Speaker>(table, tenant, { prefix: 'SPK', name: 'speaker' });

export const soundDescriptionsOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<SoundDescription>(table, tenant, { prefix: 'SD', name: 'sound description' });

export const centersOfInterestOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<CenterOfInterest>(table, tenant, { prefix: 'COI', name: 'center of interest' });

export const audioTracksOf = (table: TenantTable, tenant: TenantId) =>
  new AssetChildren<StoredAudioTrack>(table, tenant, { prefix: 'TRK', name: 'audio track' });

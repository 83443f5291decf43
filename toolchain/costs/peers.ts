/** What makers of the like ask for parts of the same work. */

import type { Workload } from './estimate.ts';
import type { ListPrice } from './price-list.ts';

export interface PeerPrice extends ListPrice {
  readonly peer: string;
  /** The part of the work that it does for that. */
  readonly does: 'transcription' | 'captions translated' | 'dubbing' | 'clips';
  /** When the maker's page said so. */
  readonly asOf: string;
  /** Where that page is quoted: none of them could be opened from where this was written. */
  readonly quotedBy: string;
  readonly note?: string;
}

const evangelist = (maker: string) =>
  `https://raw.githubusercontent.com/api-evangelist/${maker}/refs/heads/main/plans/${maker}-plans-pricing.yml`;
const puter = 'https://developer.puter.com/tutorials/elevenlabs-api-pricing/';

/** USD. `source` is the maker's own page. */
export const peerPrices: readonly PeerPrice[] = [
  {
    peer: 'AssemblyAI Universal-3.5 Pro',
    does: 'transcription',
    usd: 0.21 / 60,
    per: 'minute',
    ...{
      source: 'https://www.assemblyai.com/pricing',
      asOf: '2026-10-07',
      quotedBy: evangelist('assemblyai'),
    },
    note: 'speakers and entities cost more',
  },
  {
    peer: 'ElevenLabs Scribe v2',
    does: 'transcription',
    usd: 0.22 / 60,
    per: 'minute',
    ...{ source: 'https://elevenlabs.io/pricing/api', asOf: '2026-06', quotedBy: puter },
    note: 'entities cost more',
  },
  {
    peer: 'Mux Robots',
    does: 'captions translated',
    usd: 0.005,
    per: 'minute and language',
    ...{ source: 'https://www.mux.com/pricing/video', asOf: '2026-05-25', quotedBy: evangelist('mux-com') },
    note: 'and 0.001 a job; of videos that it hosts, which costs besides; whoever quotes it has not verified it',
  },
  {
    peer: 'ElevenLabs Dubbing v1',
    does: 'dubbing',
    usd: 0.33,
    per: 'minute and language',
    ...{ source: 'https://elevenlabs.io/pricing/api', asOf: '2026-06', quotedBy: puter },
    note: 'with a watermark; transcription and translation included',
  },
  {
    peer: 'OpusClip Pro',
    does: 'clips',
    usd: 29 / 300,
    per: 'minute',
    ...{ source: 'https://www.opus.pro/pricing', asOf: '2026-10-07', quotedBy: evangelist('opusclip') },
    note: '29 a month for 300 credits, one a minute of video; more is a matter of packs and custom prices',
  },
];

/** What of the work no page above names a price for. */
export const withoutCounterpart = ['faces', 'text in pictures', 'entities, phrases, mood by themselves'];

/** USD for the work, as far as the peer does it. */
export function peerCost({ does, usd }: PeerPrice, { hours, languages, spoken }: Workload): number {
  const times = { transcription: 1, clips: 1, 'captions translated': languages, dubbing: spoken };
  return usd * hours * 60 * times[does];
}

/** The mix of requests of a media library: mostly reads, of assets and templates that other requests create and delete. */
import { english } from '../lists/seed.ts';

/** The resources of the requests. Creations add to it, deletions remove from it. */
export interface Library {
  /** Assets without media. Requests delete only these. */
  readonly assets: string[];
  readonly templates: string[];
  /** A processed asset and its transcription. */
  readonly asset: string;
  readonly transcription: string;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly name: string;
  /** The route's share of all requests, relative to the weights of the other routes. */
  readonly weight: number;
  readonly status: number;
  call(library: Library): Call;
  /** Adds the created resource to the library. Receives the answer. */
  made?(library: Library, body: Readonly<Record<string, string>>): void;
}

/** Returns one of the newer half of the ids. The oldest ids are deleted next. */
const any = (ids: readonly string[]) => ids[Math.floor(((1 + Math.random()) / 2) * ids.length)]!;
const get = (path: string): Call => ({ method: 'GET', path });
const transcription = ({ asset, transcription }: Library) =>
  `/v1/assets/${asset}/transcriptions/${transcription}`;

export const routes: readonly Route[] = [
  {
    name: 'POST /v1/assets',
    weight: 10,
    status: 201,
    call: () => ({
      method: 'POST',
      path: '/v1/assets',
      body: { filename: 'talk.mp4', language_id: english },
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    }),
    made: ({ assets }, { asset_id }) => assets.push(asset_id!),
  },
  { name: 'GET /v1/assets', weight: 15, status: 200, call: () => get('/v1/assets') },
  {
    name: 'GET /v1/assets?language_id',
    weight: 5,
    status: 200,
    call: () => get(`/v1/assets?language_id=${english}`),
  },
  {
    name: 'GET /v1/assets/{asset_id}',
    weight: 20,
    status: 200,
    call: ({ assets }) => get(`/v1/assets/${any(assets)}`),
  },
  {
    name: 'POST …/start_upload',
    weight: 5,
    status: 200,
    call: ({ assets }) => ({
      method: 'POST',
      path: `/v1/assets/${any(assets)}/start_upload`,
      body: { parts: 4 },
    }),
  },
  {
    name: 'DELETE /v1/assets/{asset_id}',
    weight: 3,
    status: 204,
    call: ({ assets }) => ({ method: 'DELETE', path: `/v1/assets/${assets.shift()}` }),
  },
  {
    name: 'GET …/transcriptions',
    weight: 5,
    status: 200,
    call: ({ asset }) => get(`/v1/assets/${asset}/transcriptions`),
  },
  {
    name: 'GET …/transcriptions/{transcription_id}',
    weight: 5,
    status: 200,
    call: (library) => get(transcription(library)),
  },
  { name: 'GET …/vtt', weight: 5, status: 200, call: (library) => get(`${transcription(library)}/vtt`) },
  {
    name: 'POST /v1/templates',
    weight: 3,
    status: 201,
    call: () => ({ method: 'POST', path: '/v1/templates', body: { name: 'News', enabled_ocr: true } }),
    made: ({ templates }, { template_id }) => templates.push(template_id!),
  },
  { name: 'GET /v1/templates', weight: 4, status: 200, call: () => get('/v1/templates') },
  {
    name: 'GET /v1/templates/{template_id}',
    weight: 4,
    status: 200,
    call: ({ templates }) => get(`/v1/templates/${any(templates)}`),
  },
  {
    name: 'PATCH /v1/templates/{template_id}',
    weight: 2,
    status: 200,
    call: ({ templates }) => ({
      method: 'PATCH',
      path: `/v1/templates/${any(templates)}`,
      body: { name: `News at ${Date.now()}` },
    }),
  },
  {
    name: 'DELETE /v1/templates/{template_id}',
    weight: 2,
    status: 204,
    call: ({ templates }) => ({ method: 'DELETE', path: `/v1/templates/${templates.shift()}` }),
  },
  { name: 'GET /v1/languages', weight: 6, status: 200, call: () => get('/v1/languages') },
  {
    name: 'GET /v1/usages/current_month',
    weight: 3,
    status: 200,
    call: () => get('/v1/usages/current_month'),
  },
  { name: 'GET /v1/usages/historical', weight: 3, status: 200, call: () => get('/v1/usages/historical') },
];

/** Lists every route as many times as its weight. */
const lots = routes.flatMap((route) => Array.from({ length: route.weight }, () => route));

export const pick = (): Route => lots[Math.floor(Math.random() * lots.length)]!;

/** The requests that webhooks receive, one for each event type: https://www.standardwebhooks.com. */
import { type EventType, eventTypeNames, eventTypes } from '../../contract/kit/event-types.ts';
import { jobExample } from '../../contract/kit/schemas.ts';
import { assetExample } from '../../contract/resources/assets.ts';
import { Event } from '../../contract/resources/events.ts';
import type { Components } from './schemas.ts';

export const webhookObjects = (components: Components) =>
  Object.fromEntries(eventTypeNames.map((type) => [type, { post: requestOf(type, components) }]));

function requestOf(type: EventType, components: Components) {
  return {
    operationId: type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['webhooks'],
    summary: eventTypes[type],
    description:
      'Sent to every webhook that asked for the type, and signed: check the signature before the body is believed ' +
      '(`verifyWebhook` of the client does). An event can arrive twice, or after a later one; `webhook-id` tells.',
    security: [],
    parameters: signatureHeaders,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: components.reference(Event), example: exampleOf(type) },
      },
    },
    responses: {
      '2XX': { description: 'It arrived. The body of the answer is not read.' },
      410: { description: 'The receiver is gone: the webhook is disabled.' },
      default: {
        description: 'It is sent again, as after 15 seconds without an answer: nine times in three days.',
      },
    },
  };
}

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const eventId = '019a9d2e-9a7c-7f10-a1b2-6d1f2c3b4a59';

const signatureHeaders = [
  header('webhook-id', 'The `event_id`; the same each time that the event is sent', eventId),
  header('webhook-timestamp', 'When this request was sent: seconds since 1970', '1795253530'),
  header(
    'webhook-signature',
    'One or more of `v1,` with the base64 of an HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, ' +
      'set apart by spaces: after a change of the secret the old one signs for a day too',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** For each event type, the members of the example asset or job that differ. */
const changes: Readonly<Record<EventType, object>> = {
  'asset.created': { status: 'created', progress: 0, ...unknownOfMedia(), languages: [] },
  'asset.processing': {
    status: 'processing',
    stage: 'probe',
    progress: 0,
    ...unknownOfMedia(),
    languages: [],
  },
  'asset.ready': {},
  'asset.failed': {
    status: 'failed',
    progress: 0.1,
    error: unreadable(),
    ...unknownOfMedia(),
    languages: [],
  },
  'asset.deleted': { status: 'deleting' },
  'job.created': { status: 'queued', progress: 0, started_at: null },
  'job.succeeded': { status: 'succeeded', progress: 1, finished_at: '2026-11-21T09:32:10.000Z' },
  'job.partially_succeeded': {
    status: 'partially_succeeded',
    progress: 1,
    finished_at: '2026-11-21T09:32:10.000Z',
  },
  'job.failed': { status: 'failed', error: unreadable(), finished_at: '2026-11-21T09:32:10.000Z' },
  'job.canceled': { status: 'canceled', finished_at: '2026-11-21T09:32:10.000Z' },
  'webhook.test': {},
};

function exampleOf(type: EventType) {
  const [subject] = type.split('.');
  const data =
    subject === 'asset'
      ? { asset: { ...assetExample, ...changes[type] } }
      : subject === 'job'
        ? { job: { ...jobExample('ingest'), ...changes[type] } }
        : { webhook_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55' };
  return { event_id: eventId, type, timestamp: '2026-11-21T09:32:10.000Z', data };
}

function unknownOfMedia() {
  const ofPicture = ['width', 'height', 'frame_rate', 'start_timecode'];
  const names = ['duration_ms', ...ofPicture, 'audio_channels', 'size_bytes'];
  return Object.fromEntries(names.map((name) => [name, null]));
}

function unreadable() {
  return {
    code: 'media_unreadable',
    title: 'The media cannot be read',
    detail: 'The file is a PDF document. Upload a video or audio file that plays.',
    retryable: false,
  };
}

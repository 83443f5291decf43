/** The log of the events of assets and jobs. Webhooks deliver the same events. */
import Type from 'typebox';
import { eventTypeNames, eventTypes } from '../kit/event-types.ts';
import { AnyJob } from '../kit/jobs.ts';
import { operation } from '../kit/operation.ts';
import { AssetUuid, defaulted, Nullable, Strict, Timestamp, Uuid } from '../kit/schemas.ts';
import { Asset, assetExample } from './assets.ts';

const meanings = Object.entries(eventTypes).map(([type, meaning]) => `\`${type}\`: ${meaning}.`);

const EventTypeName = Type.Enum(eventTypeNames, { description: meanings.join('\n') });

export const Event = Strict(
  {
    event_id: Uuid('Event; the `webhook-id` of its deliveries'),
    type: EventTypeName,
    timestamp: Timestamp('When it happened'),
    data: Strict(
      {
        asset: Type.Optional(Asset),
        job: Type.Optional(AnyJob),
        webhook_id: Type.Optional(Uuid('Webhook that is tested')),
      },
      {
        description: 'The asset (`asset`, for asset.*) or the job (`job`, for job.*), as it was at that time',
      },
    ),
  },
  { $id: 'Event' },
);

const eventExample = {
  event_id: '019a9d2e-9a7c-7f10-a1b2-6d1f2c3b4a59',
  type: 'asset.ready',
  timestamp: '2026-11-21T09:32:10.000Z',
  data: { asset: assetExample },
};

export const listEvents = operation({
  route: 'GET /v1/events',
  summary: 'Read the event log, oldest first',
  description:
    'To replay the log, send the `next_after` of each answer as `after` of the next request while `has_more` is true, ' +
    'and again later. No event is skipped that way. The log lacks the last five seconds and goes back 30 days; ' +
    'webhooks receive events at once.',
  scope: 'events:read',
  query: Strict({
    after: Type.Optional(Uuid('Only events after this one')),
    since: Type.Optional(Timestamp('Only events from this time on; ignored with `after`')),
    type: Type.Optional(EventTypeName),
    asset_id: Type.Optional(AssetUuid('Only events of this asset and of its jobs')),
    items: defaulted(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 16,
        description: 'Maximum number of events; filters can make it fewer',
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The next events',
      body: Strict(
        {
          data: Type.Array(Event),
          next_after: Nullable(Uuid('Send as `after` to continue; null if there was no event yet')),
          has_more: Type.Boolean({ description: 'Whether there are more events now' }),
        },
        { $id: 'EventPage' },
      ),
      example: { data: [eventExample], next_after: eventExample.event_id, has_more: false },
    },
  },
  beyondSpec: true,
});

export const getEvent = operation({
  route: 'GET /v1/events/{event_id}',
  summary: 'Get an event',
  description:
    'The event as webhooks received it. It shows the asset or the job as it was at that time. Events are kept for 30 days.',
  scope: 'events:read',
  responses: { 200: { description: 'The event', body: Event, example: eventExample } },
  beyondSpec: true,
});

/** The log of what happened to assets and jobs: what webhooks told, to be read again. */
import Type from 'typebox';
import { eventTypeNames, eventTypes } from '../kit/event-types.ts';
import { AnyJob } from '../kit/jobs.ts';
import { defaulted, operation } from '../kit/operation.ts';
import { AssetUuid, Nullable, Strict, Timestamp, Uuid } from '../kit/schemas.ts';
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
      { description: 'What it happened to, as it was then: `asset` of asset.*, `job` of job.*' },
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
  id: 'listEvents',
  method: 'GET',
  path: '/v1/events',
  summary: 'Read the event log forwards',
  description:
    'Oldest first, so that it can be replayed: send the `next_after` of each answer as `after` of the next ' +
    'request, for as long as `has_more` is true, and later again. No event is passed over that way. The log ' +
    'is complete up to five seconds ago, and goes back 30 days; webhooks are told at once.',
  scope: 'events:read',
  query: Strict({
    after: Type.Optional(Uuid('Only events after this one')),
    since: Type.Optional(Timestamp('Only events from then on; where `after` is absent')),
    type: Type.Optional(EventTypeName),
    asset_id: Type.Optional(AssetUuid('Only events of this asset and of its jobs')),
    items: defaulted(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 16,
        description: 'Events at most; fewer where filtered',
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The next events',
      body: Strict(
        {
          data: Type.Array(Event),
          next_after: Nullable(Uuid('Send as `after` to go on; null where there was nothing yet')),
          has_more: Type.Boolean({ description: 'Whether there is more at this moment' }),
        },
        { $id: 'EventPage' },
      ),
      example: { data: [eventExample], next_after: eventExample.event_id, has_more: false },
    },
  },
  errors: ['invalid_parameter'],
  beyondSpec: true,
});

export const getEvent = operation({
  id: 'getEvent',
  method: 'GET',
  path: '/v1/events/{event_id}',
  summary: 'Get an event',
  description:
    'As it was sent to webhooks: what it happened to is shown as it was then, not as it is now. Events are kept for 30 days.',
  scope: 'events:read',
  params: Strict({ event_id: Uuid('Event') }),
  responses: { 200: { description: 'The event', body: Event, example: eventExample } },
  errors: ['resource_not_found', 'invalid_parameter'],
  beyondSpec: true,
});

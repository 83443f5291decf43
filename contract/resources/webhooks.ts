/** Webhooks: URLs that receive events when they happen, signed as Standard Webhooks specifies. */
import Type from 'typebox';
import { crud } from '../kit/crud.ts';
import { eventTypeNames, subscribedTypeNames } from '../kit/event-types.ts';
import { forms } from '../kit/forms.ts';
import { operation } from '../kit/operation.ts';
import { Line, Nullable, pages, Strict, shown, Timestamp, Uuid } from '../kit/schemas.ts';

const made = crud({
  kind: 'webhook',
  scope: 'webhooks',
  beyondSpec: true,
  description:
    'Events are sent as POST requests, signed as https://www.standardwebhooks.com specifies. Answer them ' +
    'with a 2xx status within 15 seconds, or 5 if the host did not answer before. Otherwise the delivery is retried nine times in three days. An ' +
    'event can arrive twice, or after a later event; `webhook-id` identifies it.',
  deletion: 'Running deliveries end. Its secrets are deleted with it.',
  fields: {
    url: Type.String({
      format: 'uri',
      pattern: forms.webAddress.pattern,
      maxLength: 2048,
      description:
        'URL that receives the events: https, reachable from the internet. A local cloud takes http and private ' +
        'addresses as well.',
    }),
    description: Type.Optional(Line('Description')),
    event_types: Type.Optional(
      Type.Array(Type.Enum(subscribedTypeNames), {
        minItems: 1,
        maxItems: subscribedTypeNames.length,
        uniqueItems: true,
        description: 'Types of events to send; null for all types, future ones included',
      }),
    ),
    enabled: Type.Optional(Type.Boolean({ default: true, description: 'Whether events are sent' })),
  },
  facts: {
    disabled_reason: [
      Nullable(
        Type.Enum(['gone', 'failing'], {
          description:
            'Reason why it was disabled: it answered 410 Gone, or all deliveries failed for three days',
        }),
      ),
      null,
    ],
  },
  example: {
    url: 'https://example.com/kinora-events',
    description: 'Editorial system',
    event_types: ['asset.ready', 'asset.failed'],
  },
});

export const { listWebhooks, getWebhook, updateWebhook, deleteWebhook } = made;

export const createWebhook = {
  ...made.createWebhook,
  errors: [...(made.createWebhook.errors ?? []), 'quota_exceeded'],
} as const satisfies typeof made.createWebhook;

const secret = Type.String({
  description: '`whsec_` and the key in base64, the form that Standard Webhooks libraries accept',
});

const WebhookSecrets = Strict(
  {
    secret,
    previous: Type.Array(Strict({ secret, expires_at: Timestamp('Time until which it signs too') }), {
      description: 'Earlier secrets that still sign, newest first',
    }),
  },
  { $id: 'WebhookSecrets' },
);

export const getWebhookSecret = operation({
  route: 'GET /v1/webhooks/{webhook_id}/secret',
  summary: "Get the secret that signs a webhook's deliveries",
  description:
    'The key of the HMAC in `webhook-signature`; `previous` has the secrets that still sign after a change. Reading it requires the scope for writing, because the secret allows the reader to forge events.',
  scope: 'webhooks:write',
  responses: shown('The secret', WebhookSecrets, {
    secret: 'whsec_c2VjcmV0LW9mLWFuLWV4YW1wbGUtb25seQ==',
    previous: [],
  }),
  beyondSpec: true,
});

export const rotateWebhookSecret = operation({
  route: 'POST /v1/webhooks/{webhook_id}/rotate_secret',
  summary: "Change the secret that signs a webhook's deliveries",
  description:
    'For one day, deliveries carry the signatures of both secrets. Get the new secret with `GET …/secret`: answers to ' +
    'POST are stored for retries, so they contain no secret.',
  scope: 'webhooks:write',
  responses: { 204: { description: 'Changed' } },
  errors: ['write_conflict'],
  beyondSpec: true,
});

const Delivery = Strict(
  {
    webhook_id: Uuid('Webhook'),
    event_id: Uuid('Event'),
    event_type: Type.Enum(eventTypeNames),
    status: Type.Enum(['pending', 'delivered', 'failed', 'canceled'], {
      description:
        'canceled: the webhook was disabled or deleted, or the event expired, before it was delivered',
    }),
    attempts: Type.Array(
      Strict({
        at: Timestamp('When the request was sent'),
        duration_ms: Type.Integer({ minimum: 0 }),
        status_code: Nullable(Type.Integer({ description: 'HTTP status of the answer' })),
        error: Nullable(Type.String({ description: 'Reason why there was no valid answer' })),
      }),
      { description: 'The last 50 attempts, oldest first' },
    ),
    next_attempt_at: Nullable(Timestamp('When the next attempt is due')),
    created_at: Timestamp('When the first attempt was due'),
  },
  { $id: 'Delivery' },
);

const deliveryExample = {
  webhook_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55',
  event_id: '019a9d2e-9a7c-7f10-a1b2-6d1f2c3b4a59',
  event_type: 'asset.ready',
  status: 'delivered',
  attempts: [
    {
      at: '2026-11-21T09:32:10.412Z',
      duration_ms: 15_000,
      status_code: null,
      error: 'no answer within 15 s',
    },
    { at: '2026-11-21T09:32:30.911Z', duration_ms: 84, status_code: 204, error: null },
  ],
  next_attempt_at: null,
  created_at: '2026-11-21T09:32:10.207Z',
};

const Deliveries = Strict({ data: Type.Array(Delivery) }, { $id: 'Deliveries' });

export const testWebhook = operation({
  route: 'POST /v1/webhooks/{webhook_id}/test',
  summary: 'Send a webhook.test event to a webhook',
  description:
    'Sends the event at once, also if the webhook selected other types. The list of deliveries has the result.',
  scope: 'webhooks:write',
  responses: {
    202: {
      description: 'The delivery, which is pending',
      body: Delivery,
      example: { ...deliveryExample, event_type: 'webhook.test', status: 'pending', attempts: [] },
      headers: { Location: 'Path of the event' },
    },
  },
  errors: ['invalid_state'],
  beyondSpec: true,
});

export const listWebhookDeliveries = operation({
  route: 'GET /v1/webhooks/{webhook_id}/deliveries',
  summary: 'List the deliveries of a webhook, newest event first',
  description:
    'One entry per event, with every attempt: its time, its duration and the answer. Kept for 30 days.',
  scope: 'webhooks:read',
  ...pages('One page of deliveries', Delivery, 'DeliveryPage'),
  beyondSpec: true,
});

export const redeliverEvents = operation({
  route: 'POST /v1/webhooks/{webhook_id}/deliveries',
  summary: 'Send events to a webhook again',
  description:
    'At most 100 events, also if the webhook selected other types. The attempts of each start again. A pending delivery is not changed.',
  scope: 'webhooks:write',
  body: Strict(
    {
      event_ids: Type.Array(Uuid('Event'), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Events of the log',
      }),
    },
    { $id: 'RedeliveryInput' },
  ),
  bodyExample: { event_ids: ['019a9d2e-9a7c-7f10-a1b2-6d1f2c3b4a59'] },
  responses: {
    202: {
      description: 'The deliveries, which are pending',
      body: Deliveries,
      example: { data: [{ ...deliveryExample, status: 'pending', attempts: [] }] },
    },
  },
  errors: ['invalid_state', 'unknown_reference'],
  beyondSpec: true,
});

/** The record of the delivery of an event to a webhook. */
import type { EventType } from '../../contract/kit/event-types.ts';

export interface WebhookChoice {
  readonly enabled: boolean;
  readonly event_types: readonly EventType[] | null;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'canceled';

export interface Attempt {
  readonly at: string;
  readonly duration_ms: number;
  readonly status_code: number | null;
  readonly error: string | null;
}

export interface Delivery {
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: EventType;
  readonly status: DeliveryStatus;
  readonly attempts: readonly Attempt[];
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}

export const wants = ({ enabled, event_types }: WebhookChoice, type: EventType): boolean =>
  enabled && (event_types === null || event_types.includes(type));

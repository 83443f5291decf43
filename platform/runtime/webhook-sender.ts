/** Sends events to webhooks in this environment. */
import { webhooks } from '../../engines/registry.ts';
import type { WebhookSender } from '../../engines/webhooks/port.ts';
import { engineFor } from './engines.ts';

export const webhookSender = (): WebhookSender => engineFor('webhooks', webhooks, {});

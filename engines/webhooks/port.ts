/** The interface of engines that send webhooks. `ENGINE_WEBHOOKS` names the engine. */
import { engineOf } from '../engine.ts';

export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The time limit of the request, ms. */
  readonly timeout_ms?: number;
}

export interface Outcome {
  /** The HTTP status. Null if there was no response. */
  readonly status_code: number | null;
  readonly error: string | null;
  /** The seconds in the Retry-After header. Null if the header is missing or is a date. */
  readonly retry_after_s: number | null;
}

export interface WebhookSender {
  /** A failure of the receiver is an outcome, not an exception. @param allows checks an IP address */
  post(outgoing: Outgoing, allows: (address: string) => boolean): Promise<Outcome>;
}

export const webhookEngine = engineOf<WebhookSender>();

/** Sends events to addresses that tenants chose. */
import { engineOf } from '../engine.ts';

export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Outcome {
  /** HTTP status; null where there was no answer. */
  readonly status_code: number | null;
  readonly error: string | null;
  /** Seconds of Retry-After, where the answer has it as a number. */
  readonly retry_after_s: number | null;
}

export interface WebhookSender {
  /**
   * Never throws for what the receiver does.
   * @param allows which addresses may be connected to
   */
  post(outgoing: Outgoing, allows: (address: string) => boolean): Promise<Outcome>;
}

export const webhookEngine = engineOf<WebhookSender>();

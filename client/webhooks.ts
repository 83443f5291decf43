/** Verifies received webhooks, and reads past events from the event log. */
import type { Event, Kinora } from './operations.ts';

/**
 * The allowed difference between the time of a message and our clock, in seconds. Standard Webhooks suggests five
 * minutes.
 */
const TOLERANCE_S = 300;

/** Thrown if Kinora did not send the message. Respond with 400. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

export interface WebhookMessage {
  /** The body exactly as it arrived. Do not parse and serialize the body before: the signature fails if a byte differs. */
  readonly body: string;
  /** Returns a header by its lower-case name: `(name) => request.headers.get(name)`. */
  readonly header: (name: string) => string | null | undefined;
}

/**
 * Verifies a webhook message and returns its event.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @param secret the secret from `getWebhookSecret`, with the prefix `whsec_`
 * @throws WebhookError if the signature is wrong or the message is too old
 * @example const message = { body: await request.text(), header: (name) => request.headers.get(name) }; const event = await
 * verifyWebhook(message, secret); if (event.type === 'asset.ready') console.log(event.data.asset);
 */
export async function verifyWebhook(
  { body, header }: WebhookMessage,
  secret: string,
  now = new Date(),
): Promise<Event> {
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature');
  if (!id || !timestamp || !signatures) throw new WebhookError('It has no signature.');
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE_S)) throw new WebhookError('It is too old, or the clocks disagree.');
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), hmac, false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',', 2);
    // `verify` compares in constant time.
    if (version === 'v1' && (await crypto.subtle.verify(hmac, key, bytesOf(value), signed))) {
      return JSON.parse(body) as Event;
    }
  }
  throw new WebhookError('No signature is of this secret.');
}

const hmac = { name: 'HMAC', hash: 'SHA-256' };

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/**
 * Returns the events of the log, oldest first, up to its current end.
 * @param from `after`: the id of an event; only later events are returned. `since`: a time. Default: the beginning of the log
 * @example for await (const { type, event_id } of replayEvents(kinora, { after: lastSeen })) console.log(type, event_id);
 */
export async function* replayEvents(
  kinora: Kinora,
  from: { readonly after?: string; readonly since?: string } = {},
): AsyncGenerator<Event> {
  for (let query: { after?: string; since?: string } = from; ; ) {
    const { data, next_after, has_more } = await kinora.listEvents({ ...query, items: 100 });
    yield* data;
    if (!has_more || next_after === null) return;
    query = { after: next_after };
  }
}

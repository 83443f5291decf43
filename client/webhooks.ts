/** The receiving end of webhooks, and the log that tells what they told. */
import type { Event, Kinora } from './operations.ts';

/** Seconds that a message may be old, or ahead of our clock. Standard Webhooks suggests five minutes. */
const TOLERANCE_S = 300;

/** Thrown where a message is not what Kinora sent: answer 400. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

export interface WebhookMessage {
  /** The body exactly as it arrived: parsing it and writing it again changes it. */
  readonly body: string;
  /** Value of a header by its name in lower case: `(name) => request.headers.get(name)`. */
  readonly header: (name: string) => string | null | undefined;
}

/**
 * The event of a message that Kinora sent.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @param secret of `getWebhookSecret`, with its `whsec_`
 * @throws WebhookError where the signature is not of that secret, or the message is too old
 * @example
 * const message = { body: await request.text(), header: (name) => request.headers.get(name) };
 * const event = await verifyWebhook(message, secret);
 * if (event.type === 'asset.ready') console.log(event.data.asset);
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
 * The events of the log, oldest first, to the end that it has now.
 * @param from where to begin: after an event, or at a time; at its beginning when absent
 * @example
 * for await (const { type, event_id } of replayEvents(kinora, { after: lastSeen })) console.log(type, event_id);
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

/** Subscribes a webhook to all events, verifies each message and prints it. Deletes the webhook at the end (Ctrl+C). */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Kinora, verifyWebhook, WebhookError } from '@kinora/client';

const kinora = new Kinora({ url: process.env.KINORA_URL, apiKey: process.env.KINORA_API_KEY });
let secret = '';

const server = createServer(async (request, response) => {
  const message = { body: await text(request), header: (name) => request.headers[name] };
  try {
    const event = await verifyWebhook(message, secret);
    console.log(event.type, event.data.asset?.asset_id ?? event.data.job?.job_id ?? '');
    // Answer fast; do long work later. Kinora repeats a message that gets no 2xx within its time limit.
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    response.writeHead(400).end(error.message);
  }
});
await new Promise((resolve) => server.listen(Number(process.env.PORT ?? 0), resolve));

// A deployed Kinora sends to public https addresses only. A local cloud also sends to this machine.
const [url = `http://127.0.0.1:${server.address().port}`] = process.argv.slice(2);
const { webhook_id } = await kinora.createWebhook({ body: { url, event_types: null } });
({ secret } = await kinora.getWebhookSecret({ webhook_id }));
console.log(`Receiving events on ${url}`);

process.once('SIGINT', async () => {
  await kinora.deleteWebhook({ webhook_id });
  process.exit();
});

/** A stub of DynamoDB on its own core. It answers GetItem (JSON 1.0) with an item by partition key, and BatchGetItem with no items. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const items = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { Key } = JSON.parse(Buffer.concat(chunks).toString());
  const item = Key && items[Key.pk.S];
  const answer = Key === undefined ? { Responses: {} } : { Item: item };
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(answer));
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());

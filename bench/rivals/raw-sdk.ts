/** The smallest possible handler: client-dynamodb and one GetItem, without authentication, validation or logs. */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({});

export async function handler(event: { pathParameters: { asset_id: string } }) {
  const key = { pk: { S: `T#demo#A#${event.pathParameters.asset_id}` }, sk: { S: 'META' } };
  const { Item } = await client.send(new GetItemCommand({ TableName: process.env.CORE_TABLE, Key: key }));
  return { statusCode: 200, body: JSON.stringify(Item) };
}

/** Ranges of ids in one partition, newest first: their sort keys, or only their number. */
import { type DynamoDBClient, QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { defined } from '../../shared/checked-access.ts';

export interface IdRange {
  readonly pk: string;
  /** The lowest and the highest id, both included; unbounded if absent. */
  readonly from?: string | undefined;
  readonly upTo?: string | undefined;
  /** The maximum number of entries. A range also ends after a megabyte. */
  readonly limit: number;
}

interface Rest {
  /** `upTo` of the next range; undefined at the end of the partition. */
  readonly next: string | undefined;
}

/** The source of lists of ids: the table of a tenant, or the admin partitions. */
export interface IdSource {
  ids(range: IdRange): Promise<{ readonly ids: readonly string[] } & Rest>;
  /** Counts without a transfer of the ids. */
  countIds(range: IdRange): Promise<{ readonly count: number } & Rest>;
}

export const idSource = (client: DynamoDBClient, table: string): IdSource => ({
  async ids(range) {
    const { Items = [], next } = await query(client, table, range, { ProjectionExpression: 'sk' });
    return { ids: Items.map((item) => defined(defined(item.sk).S)), next };
  },
  async countIds(range) {
    const { Count = 0, next } = await query(client, table, range, { Select: 'COUNT' });
    return { count: Count, next };
  },
});

async function query(
  client: DynamoDBClient,
  TableName: string,
  { pk, from, upTo, limit }: IdRange,
  what: { ProjectionExpression: string } | { Select: 'COUNT' },
): Promise<Pick<QueryCommandOutput, 'Items' | 'Count'> & Rest> {
  // DynamoDB refuses reversed bounds in BETWEEN. Filters can have them, and so can the rest of a range whose lowest id
  // was read.
  const isEmpty = from !== undefined && upTo !== undefined && from > upTo;
  if (isEmpty) return { next: undefined };
  const answer = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: `pk = :pk${within(from, upTo)}`,
      ExpressionAttributeValues: {
        ':pk': { S: pk },
        ...(from !== undefined && { ':from': { S: from } }),
        ...(upTo !== undefined && { ':to': { S: upTo } }),
      },
      ScanIndexForward: false,
      Limit: limit,
      ...what,
    }),
  );
  const last = answer.LastEvaluatedKey?.sk?.S;
  return { ...answer, next: last === undefined ? undefined : predecessor(last) };
}

function within(from: string | undefined, upTo: string | undefined): string {
  if (from !== undefined && upTo !== undefined) return ' AND sk BETWEEN :from AND :to';
  if (from !== undefined) return ' AND sk >= :from';
  return upTo === undefined ? '' : ' AND sk <= :to';
}

/** The greatest text below an id among ids of equal length: its last character is one less. */
export const predecessor = (id: string) =>
  `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}~`;

export const lower = (a: string | undefined, b: string | undefined) =>
  a === undefined ? b : b === undefined || a < b ? a : b;

/** Ranges of ids in one partition, newest first: the sort keys alone, or only how many there are. */
import { type DynamoDBClient, QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb';

export interface IdRange {
  readonly pk: string;
  /** The least and the greatest id, both included; no end where absent. */
  readonly from?: string | undefined;
  readonly upTo?: string | undefined;
  /** How many entries at most; a megabyte of them ends a range too. */
  readonly limit: number;
}

interface Rest {
  /** `upTo` of the range that follows; undefined at the end of the partition. */
  readonly next: string | undefined;
}

/** What lists of ids are read from: a tenant's table, or the partitions of operators. */
export interface IdSource {
  ids(range: IdRange): Promise<{ readonly ids: readonly string[] } & Rest>;
  /** Counting spares the way and the memory of the ids. */
  countIds(range: IdRange): Promise<{ readonly count: number } & Rest>;
}

export const idSource = (client: DynamoDBClient, table: string): IdSource => ({
  async ids(range) {
    const { Items = [], next } = await query(client, table, range, { ProjectionExpression: 'sk' });
    return { ids: Items.map((item) => item.sk!.S!), next };
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
  // DynamoDB refuses a BETWEEN whose ends are the wrong way round: filters ask for one, and so does the rest of a range whose
  // least id was read.
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

/** The greatest text below an id among ids of equal length: the last character, one less. */
export const predecessor = (id: string) =>
  `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}~`;

export const lower = (a: string | undefined, b: string | undefined) =>
  a === undefined ? b : b === undefined || a < b ? a : b;

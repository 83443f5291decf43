/**
 * Determines the permissions that a request to DynamoDB needs. Service Authorization Reference, "Actions, resources, and condition
 * keys for Amazon DynamoDB".
 */
import type { Access } from '../iam/evaluate.ts';
import type { TableView } from '../template/storage.ts';

type AttributeValue = { S?: string; N?: string; B?: string };
type Attributes = Record<string, AttributeValue>;

/** The members of requests that determine the needed permissions. */
type Input = {
  TableName?: string;
  IndexName?: string;
  Key?: Attributes;
  Item?: Attributes;
  KeyConditionExpression?: string;
  KeyConditions?: Record<string, { AttributeValueList?: AttributeValue[] }>;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
  TransactItems?: Record<string, Input>[];
  RequestItems?: Record<string, unknown>;
};

export type TableLocation = {
  region: string;
  account: string;
  tables: readonly Pick<TableView, 'name' | 'keySchema' | 'globalIndexes' | 'localIndexes'>[];
};

/** The permission that each member of a transaction needs. Developer Guide, "Using IAM with DynamoDB transactions". */
const transactionActions: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

/** @param operation an operation of the API, such as `PutItem` @param input its request, a JSON object */
export function permissionsOfDynamoDb(operation: string, input: object, at: TableLocation): Access[] {
  const request = input as Input;
  // Only the members of the operation count, because the engine ignores all others.
  if (/^Transact(?:Get|Write)Items$/.test(operation)) {
    return (request.TransactItems ?? []).flatMap((item) =>
      Object.entries(item).map(([kind, part]) => accessFor(transactionActions[kind] ?? kind, part, at)),
    );
  }
  if (/^Batch(?:Get|Write)Item$/.test(operation)) {
    return Object.entries(request.RequestItems ?? {}).map(([table, items]) =>
      accessOf(operation, { TableName: table }, keysOfBatch(table, items, at), at),
    );
  }
  return [accessFor(operation, request, at)];
}

function accessFor(operation: string, request: Input, at: TableLocation): Access {
  const { TableName, IndexName } = request;
  const place: Input = {
    ...(TableName !== undefined && { TableName }),
    ...(IndexName !== undefined && /^(?:Query|Scan)$/.test(operation) && { IndexName }),
  };
  const value = partitionIn(operation, request, partitionKeyOf(place, at) ?? '');
  return accessOf(operation, place, value && [textOf(value)], at);
}

/** Returns the value of the partition key in a request for one item or one partition. Undefined for other operations. */
function partitionIn(operation: string, request: Input, attribute: string): AttributeValue | undefined {
  switch (operation) {
    case 'PutItem':
      return request.Item?.[attribute];
    case 'GetItem':
    case 'UpdateItem':
    case 'DeleteItem':
    case 'ConditionCheckItem':
      return request.Key?.[attribute];
    case 'Query':
      return (
        request.KeyConditions?.[attribute]?.AttributeValueList?.[0] ?? valueInCondition(request, attribute)
      );
    default:
      return undefined;
  }
}

function accessOf(
  operation: string,
  { TableName: table, IndexName: index }: Input,
  leadingKeys: string[] | undefined,
  { region, account }: TableLocation,
): Access {
  const arn = table?.startsWith('arn:') ? table : `arn:aws:dynamodb:${region}:${account}:table/${table}`;
  return {
    action: `dynamodb:${operation}`,
    resource: table === undefined ? '*' : index === undefined ? arn : `${arn}/index/${index}`,
    context: leadingKeys === undefined ? {} : { 'dynamodb:leadingkeys': leadingKeys },
  };
}

/** Returns the name of a table from its name or its ARN. */
const nameOf = (table: string): string => table.replace(/^arn:.*:table\//, '');

/** Returns the value with which a Query compares the partition key. Every Query has exactly one. */
function valueInCondition(
  { KeyConditionExpression, ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: Input,
  attribute: string,
): AttributeValue | undefined {
  for (const [, left = '', right = ''] of KeyConditionExpression?.matchAll(
    /([#:\w.-]+)\s*=\s*([#:\w.-]+)/g,
  ) ?? []) {
    for (const [name, value] of [
      [left, right],
      [right, left],
    ] as const) {
      if ((ExpressionAttributeNames[name] ?? name) === attribute) return ExpressionAttributeValues[value];
    }
  }
  return undefined;
}

/** Returns the partition keys of a batch. BatchGetItem has them in `Keys`; BatchWriteItem has a list of requests. */
function keysOfBatch(table: string, items: unknown, at: TableLocation): string[] {
  const attribute = partitionKeyOf({ TableName: table }, at) ?? '';
  const keys = Array.isArray(items)
    ? items.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key)
    : ((items as { Keys?: Attributes[] }).Keys ?? []);
  return keys.flatMap((key: Attributes | undefined) => (key?.[attribute] ? [textOf(key[attribute])] : []));
}

function partitionKeyOf({ TableName = '', IndexName }: Input, { tables }: TableLocation): string | undefined {
  const table = tables.find(({ name }) => name === nameOf(TableName));
  const index = [...(table?.globalIndexes ?? []), ...(table?.localIndexes ?? [])].find(
    ({ IndexName: name }) => name === IndexName,
  );
  const schema = index?.KeySchema ?? table?.keySchema ?? [];
  return schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName;
}

const textOf = ({ S, N, B }: AttributeValue): string => S ?? N ?? String(B);

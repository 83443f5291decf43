/**
 * The calls of the platform to DynamoDB. The platform does not change their errors: steps are retried, and requests get
 * 503.
 */
import * as dynamodbSdk from '@aws-sdk/client-dynamodb';
import { idSource } from '../../../platform/table/id-ranges.ts';
import { TenantTable } from '../../../platform/table/tenant-table.ts';
import { asTenantId } from '../../../shared/ids.ts';
import { type Answering, type Call, commonErrors, ownFates, type Service } from './calls.ts';
import { type Answer, wired } from './wire.ts';

const dynamodb: Service = {
  name: 'dynamodb',
  sdk: dynamodbSdk,
  form: 'json',
  common: commonErrors,
  fates: {
    ...ownFates,
    ConditionalCheckFailedException: 'its own',
    IdempotentParameterMismatchException: 'its own',
    InternalServerError: 'passing',
    InvalidEndpointException: 'its own',
    ItemCollectionSizeLimitExceededException: 'its own',
    ProvisionedThroughputExceededException: 'passing',
    ReplicatedWriteConflictException: 'passing',
    RequestLimitExceeded: 'passing',
    ResourceNotFoundException: 'its own',
    TransactionCanceledException: 'passing',
    TransactionConflictException: 'passing',
    TransactionInProgressException: 'passing',
  },
};

const tenant = asTenantId('acme');
const key = { pk: 'T#acme#A', sk: '1' };
const Item = { pk: { S: key.pk }, sk: { S: key.sk } };
const found: Answer = { answer: { Item } };
const done: Answer = { answer: {} };
const page: Answer = { answer: { Items: [Item], Count: 1 } };

const using =
  (work: (client: dynamodbSdk.DynamoDBClient) => Promise<unknown>): Call['drive'] =>
  async (answering) => {
    const { client, asked } = wired(dynamodbSdk.DynamoDBClient, dynamodb, answering);
    return { given: await work(client), asked };
  };

/** A row of the table: the operation, the code that sends it, and the expected result. */
const row = (
  file: string,
  operation: string,
  answer: Answering,
  work: (client: dynamodbSdk.DynamoDBClient) => Promise<unknown>,
  gives: unknown,
  more: Partial<Call> = {},
): Call => ({
  ...{ service: dynamodb, file: `platform/${file}.ts`, operation, drive: using(work), gives },
  ...{ answers: { [operation]: answer }, ...more },
});

const tenants = (work: (table: TenantTable) => Promise<unknown>) => (client: dynamodbSdk.DynamoDBClient) =>
  work(new TenantTable(client, 'Core', tenant));

const cancelled = (...codes: string[]): Answer => ({
  error: 'TransactionCanceledException',
  more: { CancellationReasons: codes.map((Code) => ({ Code })) },
});
const isRefused = { fates: { ConditionalCheckFailedException: { named: 'ConditionFailed' } } } as const;
const unread = { Core: { Keys: [Item] } };
/** Returns the given answer first. Later answers are those of a working service. */
const once = (first: Answer, then: Answer): Answering => {
  let isFirst = true;
  return () => {
    const answer = isFirst ? first : then;
    isFirst = false;
    return answer;
  };
};

export const stores: readonly Call[] = [
  row(
    'table/table',
    'GetItem',
    found,
    tenants((table) => table.get(key)),
    key,
  ),
  row(
    'table/tenant-table',
    'BatchGetItem',
    { answer: { Responses: { Core: [Item] } } },
    tenants((table) => table.getAll([key])),
    [key],
    {
      partial: [
        [
          'keys that were not read',
          once(
            { answer: { Responses: {}, UnprocessedKeys: unread } },
            { answer: { Responses: { Core: [Item] } } },
          ),
          { gives: [key] },
        ],
        ['keys that are never read', { answer: { Responses: {}, UnprocessedKeys: unread } }, 'passing'],
      ],
    },
  ),
  row(
    'table/table',
    'PutItem',
    done,
    tenants((table) => table.put(key)),
    undefined,
    isRefused,
  ),
  row(
    'table/table',
    'UpdateItem',
    { answer: { Attributes: Item } },
    tenants((table) => table.update({ key, expression: 'SET a = a' })),
    key,
    isRefused,
  ),
  row(
    'table/table',
    'DeleteItem',
    done,
    tenants((table) => table.delete(key)),
    undefined,
  ),
  row(
    'table/table',
    'Query',
    page,
    tenants((table) => table.queryAll({ pk: key.pk })),
    [key],
  ),
  row(
    'table/tenant-table',
    'TransactWriteItems',
    done,
    tenants((table) => table.transact([{ put: key }], 'token')),
    undefined,
    {
      // So a retry after a lost answer changes nothing.
      asks: { ClientRequestToken: 'token' },
      partial: [
        [
          'a transaction that conflicted with another',
          once(cancelled('TransactionConflict'), done),
          { gives: undefined },
        ],
        ['a throttled transaction', once(cancelled('None', 'ThrottlingError'), done), { gives: undefined }],
        [
          'a transaction beyond the provisioned capacity',
          once(cancelled('ProvisionedThroughputExceeded'), done),
          { gives: undefined },
        ],
        ['a transaction that always conflicts with another', cancelled('TransactionConflict'), 'passing'],
        [
          'a condition that is not met',
          cancelled('ConditionalCheckFailed', 'TransactionConflict'),
          { named: 'TransactionRefused' },
        ],
      ],
    },
  ),
  row('table/id-ranges', 'Query', page, (client) => idSource(client, 'Core').ids({ pk: key.pk, limit: 9 }), {
    ids: ['1'],
  }),
];

/**
 * The calls of the platform to DynamoDB. The platform does not change their errors: steps are retried, and requests get
 * 503.
 */
import * as dynamodbSdk from '@aws-sdk/client-dynamodb';
import { idSource } from '../../../platform/table/id-ranges.ts';
import { TenantTable } from '../../../platform/table/tenant-table.ts';
import { asTenantId } from '../../../shared/ids.ts';
import { type Answering, type Call, commonErrors, ownFates, type Service } from './calls.ts';
import { type Answer, driving } from './wire.ts';

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

/** A row of the table: the operation, the code that sends it, and the expected result. */
const row = (
  operation: string,
  answer: Answering,
  work: (table: TenantTable) => Promise<unknown>,
  gives: unknown,
  more: Partial<Call> = {},
): Call => ({
  ...{ service: dynamodb, file: 'platform/table/table.ts', operation, gives },
  drive: driven((client) => work(new TenantTable(client, 'Core', tenant))),
  ...{ answers: { [operation]: answer }, ...more },
});
const driven = driving(dynamodbSdk.DynamoDBClient, dynamodb);

const cancelled = (...codes: string[]): Answer => ({
  error: 'TransactionCanceledException',
  more: { CancellationReasons: codes.map((Code) => ({ Code })) },
});
const isRefused = { fates: { ConditionalCheckFailedException: { named: 'ConditionFailed' } } } as const;
const unread = { Core: { Keys: [Item] } };
const once = (first: Answer, then: Answer): Answering => {
  let isFirst = true;
  return () => {
    const answer = isFirst ? first : then;
    isFirst = false;
    return answer;
  };
};

const readBatch: Answer = { answer: { Responses: { Core: [Item] } } };
const unreadBatch: Answer = { answer: { Responses: {}, UnprocessedKeys: unread } };
const file = 'platform/table/tenant-table.ts';

export const stores: readonly Call[] = [
  row('GetItem', found, (table) => table.get(key), key),
  row('BatchGetItem', readBatch, (table) => table.getAll([key]), [key], {
    file,
    partial: [
      ['keys that were not read', once(unreadBatch, readBatch), { gives: [key] }],
      ['keys that are never read', unreadBatch, 'passing'],
    ],
  }),
  row('PutItem', done, (table) => table.put(key), undefined, isRefused),
  row(
    'UpdateItem',
    { answer: { Attributes: Item } },
    (table) => table.update({ key, expression: 'SET a = a' }),
    key,
    isRefused,
  ),
  row('DeleteItem', done, (table) => table.delete(key), undefined),
  row('Query', page, (table) => table.queryAll({ pk: key.pk }), [key]),
  row('TransactWriteItems', done, (table) => table.transact([{ put: key }], 'token'), undefined, {
    file,
    // So a retry after a lost answer changes nothing.
    asks: { ClientRequestToken: 'token' },
    partial: [
      ...[['TransactionConflict'], ['None', 'ThrottlingError'], ['ProvisionedThroughputExceeded']].map(
        (codes) =>
          [
            `a transaction canceled by ${codes}`,
            once(cancelled(...codes), done),
            { gives: undefined },
          ] as const,
      ),
      ['a transaction that always conflicts with another', cancelled('TransactionConflict'), 'passing'],
      [
        'a condition that is not met',
        cancelled('ConditionalCheckFailed', 'TransactionConflict'),
        { named: 'TransactionRefused' },
      ],
    ],
  }),
  {
    ...row('Query', page, () => Promise.resolve(), { ids: ['1'] }, { file: 'platform/table/id-ranges.ts' }),
    drive: driven((client) => idSource(client, 'Core').ids({ pk: key.pk, limit: 9 })),
  },
];

/** One DynamoDB table for the repositories of one tenant: they read and write plain objects. */
import {
  BatchGetItemCommand,
  type CancellationReason,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { TenantId } from '../../shared/tenant.ts';
import { backoff } from './backoff.ts';
import { type IdRange, type IdSource, idSource } from './id-ranges.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export type Values = Readonly<Record<string, unknown>>;
export type Item = Key & Values;
/** An item, or only a key, as index entries are. */
export type Writable = Key | Item;

/** Partitions for operators, across tenants. Each entry names its tenant. */
export const ADMIN_PREFIX = 'ADMIN#';

/** The most keys of one BatchGetItem. */
const KEYS_AT_ONCE = 100;

/** Thrown if a condition failed. Contains the current item, or null if it does not exist. */
export class ConditionFailed extends Error {
  readonly current: Item | null;
  constructor(current: Item | null) {
    super('The condition of a write did not hold');
    this.name = 'ConditionFailed';
    this.current = current;
  }
}

/** Thrown if a transaction was refused. For each write: whether its condition failed, and the current item. */
export class TransactionRefused extends Error {
  readonly actions: readonly { readonly failed: boolean; readonly current: Item | null }[];
  constructor(actions: TransactionRefused['actions']) {
    super('A transaction was cancelled');
    this.name = 'TransactionRefused';
    this.actions = actions;
  }
}

/** Whether the transaction wrote nothing: it was refused, or given up after conflicts. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof TransactionRefused || error instanceof TransactionCanceledException;

export interface Update {
  readonly key: Key;
  /** `SET a = :a REMOVE b`. Attribute names that are reserved words go into `names`. */
  readonly expression: string;
  readonly values?: Values;
  readonly names?: Readonly<Record<string, string>>;
  readonly condition?: string;
}

type Names = Readonly<Record<string, string>>;

export type Write =
  | { readonly put: Writable; readonly condition?: string; readonly values?: Values }
  | { readonly delete: Key; readonly condition?: string; readonly values?: Values; readonly names?: Names }
  | { readonly update: Update }
  /** Writes nothing. The transaction is refused if the condition fails. */
  | { readonly check: Key; readonly condition: string; readonly values?: Values; readonly names?: Names }
  /** Adds or removes an entry of an admin partition. */
  | { readonly announce: Key | (Key & Readonly<Record<string, unknown>>); readonly isAwaited?: boolean }
  | { readonly withdraw: Key };

/** Called after a transaction with the sort keys of the awaited entries that it announced. */
export type Afterwards = (announced: readonly string[]) => void;

export interface QueryInput {
  readonly pk: string;
  /** Reads only sort keys with this prefix. */
  readonly beginsWith?: string;
  /** Reads only sort keys up to and including this one. */
  readonly upTo?: string;
  readonly newestFirst?: boolean;
  readonly limit?: number;
  /** Whether the read sees all earlier writes. */
  readonly consistent?: boolean;
  /** Attributes to read; all when absent. */
  readonly only?: readonly string[];
  readonly after?: Key | undefined;
}

/** Retries of a transaction that clashed with another one, or met too much traffic. */
const CLASH_RETRIES = 4;
/**
 * API_TransactWriteItems, "Cancellation reason codes": the transient ones. The SDK does not retry a canceled
 * transaction.
 */
const passing: readonly (string | undefined)[] = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];
/** How many responses in a row may leave keys of a batch unread. The waits between them are half a second on average. */
const BATCH_RETRIES = 5;

const out = (item: Record<string, unknown> | undefined): Item | null =>
  item === undefined ? null : (unmarshall(item as never) as Item);
const into = (values: object) =>
  marshall(values as Record<string, unknown>, {
    removeUndefinedValues: true,
    // Otherwise an object with a member named `constructor` counts as a class instance, and is refused.
    convertClassInstanceToMap: true,
  });
const bound = (values: Values | undefined) =>
  values === undefined
    ? undefined
    : into(Object.fromEntries(Object.entries(values).map(([k, v]) => [`:${k}`, v])));

/** Thrown if a table is too busy to read a batch. Has DynamoDB's name for it. */
class Unread extends Error {
  constructor(keys: number) {
    super(`DynamoDB left ${keys} keys of a batch unread`);
    this.name = 'ProvisionedThroughputExceededException';
  }
}

const isRefusal = ({ Code }: CancellationReason) => Code === 'ConditionalCheckFailed';

const refused = (reasons: readonly CancellationReason[]) =>
  new TransactionRefused(reasons.map((reason) => ({ failed: isRefusal(reason), current: out(reason.Item) })));

/** The table of one tenant. A key outside of the tenant's partitions is a programming error. */
export class TenantTable implements IdSource {
  readonly #client: DynamoDBClient;
  readonly #name: string;
  readonly #tenant: TenantId;
  readonly #prefix: string;
  readonly #ids: IdSource;
  readonly #afterwards: Afterwards | undefined;

  /** @param afterwards receives the announced events; without it, a transaction that announces events is refused */
  constructor(client: DynamoDBClient, name: string, tenant: TenantId, afterwards?: Afterwards) {
    this.#client = client;
    this.#name = name;
    this.#tenant = tenant;
    this.#prefix = `T#${tenant}#`;
    this.#ids = idSource(client, name);
    this.#afterwards = afterwards;
  }

  #own<K extends Pick<Key, 'pk'>>(key: K): K {
    if (!key.pk.startsWith(this.#prefix)) throw new TypeError('A key outside of the tenant');
    return key;
  }

  async get<T = Item>({ pk, sk }: Key, consistent = true): Promise<(T & Key) | null> {
    const answer = await this.#client.send(
      new GetItemCommand({
        TableName: this.#name,
        Key: into(this.#own({ pk, sk })),
        ConsistentRead: consistent,
      }),
    );
    return out(answer.Item) as (T & Key) | null;
  }

  /** The items that exist, in the order of the keys. */
  async getAll<T = Item>(keys: readonly Key[], ConsistentRead = true): Promise<(T & Key)[]> {
    const found = new Map<string, T & Key>();
    // DynamoDB refuses a batch that names a key twice.
    const distinct = new Map(keys.map(({ pk, sk }) => [`${pk}\n${sk}`, { pk, sk }]));
    let wanted = [...distinct.values()].map((key) => into(this.#own(key)));
    let leftOver = 0;
    while (wanted.length > 0) {
      const now = wanted.slice(0, KEYS_AT_ONCE);
      const answer = await this.#client.send(
        new BatchGetItemCommand({ RequestItems: { [this.#name]: { Keys: now, ConsistentRead } } }),
      );
      for (const item of answer.Responses?.[this.#name] ?? []) {
        const plain = out(item) as T & Key;
        found.set(`${plain.pk}\n${plain.sk}`, plain);
      }
      const unread = answer.UnprocessedKeys?.[this.#name]?.Keys ?? [];
      wanted = [...unread, ...wanted.slice(KEYS_AT_ONCE)];
      leftOver = unread.length === 0 ? 0 : leftOver + 1;
      if (leftOver > BATCH_RETRIES) throw new Unread(unread.length);
      // API_BatchGetItem: an immediate retry would most likely leave them again.
      if (leftOver > 0) await backoff(leftOver - 1);
    }
    return keys.map((key) => found.get(`${key.pk}\n${key.sk}`)).filter((item) => item !== undefined);
  }

  async put(item: Writable, condition?: string, values?: Values): Promise<void> {
    await this.#conditional(() =>
      this.#client.send(
        new PutItemCommand({ TableName: this.#name, ...this.#putOf(item, condition, values) }),
      ),
    );
  }

  async update<T = Item>(update: Update): Promise<T & Key> {
    return this.#conditional(async () => {
      const answer = await this.#client.send(
        new UpdateItemCommand({ TableName: this.#name, ...this.#updateOf(update), ReturnValues: 'ALL_NEW' }),
      );
      return out(answer.Attributes) as T & Key;
    });
  }

  async delete({ pk, sk }: Key): Promise<void> {
    await this.#client.send(
      new DeleteItemCommand({ TableName: this.#name, Key: into(this.#own({ pk, sk })) }),
    );
  }

  /** One page of a Query, and the key to continue after, if there is more. */
  async query<T = Item>(input: QueryInput): Promise<{ items: (T & Key)[]; next: Key | undefined }> {
    const answer = await this.#client.send(
      new QueryCommand({
        ...this.#queryOf(input),
        ProjectionExpression: input.only && ['pk', 'sk', ...input.only].join(', '),
      }),
    );
    const items = (answer.Items ?? []).map((item) => out(item) as T & Key);
    return { items, next: out(answer.LastEvaluatedKey) ?? undefined };
  }

  /** The number of items of a page of a Query, without a transfer of the items. */
  async count(input: QueryInput): Promise<{ count: number; next: Key | undefined }> {
    const query = new QueryCommand({ ...this.#queryOf(input), Select: 'COUNT' });
    const { Count = 0, LastEvaluatedKey } = await this.#client.send(query);
    return { count: Count, next: out(LastEvaluatedKey) ?? undefined };
  }

  #queryOf(input: QueryInput) {
    this.#own(input);
    const range =
      input.beginsWith !== undefined
        ? ' AND begins_with(sk, :sk)'
        : input.upTo !== undefined
          ? ' AND sk <= :sk'
          : '';
    return {
      TableName: this.#name,
      KeyConditionExpression: `pk = :pk${range}`,
      ExpressionAttributeValues: into({ ':pk': input.pk, ':sk': input.beginsWith ?? input.upTo }),
      ScanIndexForward: !input.newestFirst,
      ConsistentRead: input.consistent,
      Limit: input.limit,
      ExclusiveStartKey: input.after && into({ pk: input.after.pk, sk: input.after.sk }),
    };
  }

  async ids(range: IdRange) {
    return this.#ids.ids(this.#own(range));
  }

  async countIds(range: IdRange) {
    return this.#ids.countIds(this.#own(range));
  }

  /** All items of a Query. For children of one asset, never for lists that grow with the tenant. */
  async queryAll<T = Item>(input: QueryInput): Promise<(T & Key)[]> {
    const items: (T & Key)[] = [];
    let after: Key | undefined;
    do {
      const page = await this.query<T>({ ...input, after });
      items.push(...page.items);
      after = page.next;
    } while (after !== undefined);
    return items;
  }

  /**
   * Writes all or nothing; at most 100 writes. With the token, a repeat within ten minutes has no effect. A conflict
   * with another transaction, or a busy table, is not a refusal: it is retried a few times.
   */
  async transact(writes: readonly Write[], token?: string): Promise<void> {
    const TransactItems = writes.map((write) => this.#action(write));
    const awaited = writes.flatMap((write) =>
      'announce' in write && write.isAwaited ? [write.announce.sk] : [],
    );
    if (awaited.length > 0 && this.#afterwards === undefined)
      throw new TypeError('Code that publishes events needs publishingTable, so that they are delivered');
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.#client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken: token }));
        if (awaited.length > 0) this.#afterwards!(awaited);
        return;
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error;
        const reasons = error.CancellationReasons ?? [];
        if (reasons.some(isRefusal)) throw refused(reasons);
        const isClash = reasons.some(({ Code }) => passing.includes(Code));
        if (!isClash || attempt === CLASH_RETRIES) throw error;
        await backoff(attempt);
      }
    }
  }

  #action(write: Write): TransactWriteItem {
    if ('put' in write) {
      return { Put: { TableName: this.#name, ...this.#putOf(write.put, write.condition, write.values) } };
    }
    if ('update' in write) return { Update: { TableName: this.#name, ...this.#updateOf(write.update) } };
    if ('check' in write)
      return {
        ConditionCheck: { ...this.#bareOf(write.check, write), ConditionExpression: write.condition },
      };
    if ('announce' in write || 'withdraw' in write) return this.#adminAction(write);
    return { Delete: { ...this.#bareOf(write.delete, write), ConditionExpression: write.condition } };
  }

  #bareOf({ pk, sk }: Key, { values, names }: { values?: Values; names?: Names }) {
    return {
      TableName: this.#name,
      Key: into(this.#own({ pk, sk })),
      ExpressionAttributeValues: bound(values),
      ExpressionAttributeNames: names && { ...names },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
  }

  /** An entry that another tenant announced is not changed. */
  #adminAction(write: { announce: Key } | { withdraw: Key }): TransactWriteItem {
    const { pk, sk } = 'announce' in write ? write.announce : write.withdraw;
    if (!pk.startsWith(ADMIN_PREFIX)) throw new TypeError('A key outside of the admin partitions');
    const own = {
      TableName: this.#name,
      ConditionExpression: 'attribute_not_exists(pk) OR tenant = :tenant',
      ExpressionAttributeValues: bound({ tenant: this.#tenant }),
    };
    if ('withdraw' in write) return { Delete: { ...own, Key: into({ pk, sk }) } };
    return { Put: { ...own, Item: into({ ...write.announce, tenant: this.#tenant }) } };
  }

  #putOf(item: Writable, condition?: string, values?: Values) {
    return {
      Item: into({ ...this.#own(item) }),
      ConditionExpression: condition,
      ExpressionAttributeValues: bound(values),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
  }

  #updateOf({ key, expression, values, names, condition }: Update) {
    return {
      Key: into(this.#own({ pk: key.pk, sk: key.sk })),
      UpdateExpression: expression,
      ExpressionAttributeValues: bound(values),
      ExpressionAttributeNames: names && { ...names },
      ConditionExpression: condition,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
  }

  async #conditional<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) throw new ConditionFailed(out(error.Item));
      throw error;
    }
  }
}

/** One DynamoDB table for the repositories of one tenant, with transactions. */
import {
  BatchGetItemCommand,
  type CancellationReason,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { defined } from '../../shared/checked-access.ts';
import type { TenantId } from '../../shared/ids.ts';
import { backoff } from './backoff.ts';
import {
  bound,
  type Item,
  into,
  type Key,
  out,
  Table,
  type Update,
  type Values,
  type Writable,
} from './table.ts';

/** Partitions for operators, across tenants. Each entry contains its tenant. */
export const ADMIN_PREFIX = 'ADMIN#';

/** The maximum number of keys of one BatchGetItem. */
const KEYS_AT_ONCE = 100;

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

/** The maximum number of retries of a transaction that clashed with another transaction, or that a busy table refused. */
const CLASH_RETRIES = 4;
/**
 * The transient reasons for a canceled transaction (API_TransactWriteItems, "Cancellation reason codes"). The SDK does
 * not retry a canceled transaction.
 */
const passing: readonly (string | undefined)[] = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];
/** How many responses in a row may leave keys of a batch unread. The waits between them are half a second on average. */
const BATCH_RETRIES = 5;

/** Thrown if a table is too busy to read a batch. Its name is that of DynamoDB's error. */
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
export class TenantTable extends Table {
  readonly #tenant: TenantId;
  readonly #prefix: string;
  readonly #afterwards: Afterwards | undefined;

  /** @param afterwards receives the announced events; without it, a transaction that announces events is refused */
  constructor(client: DynamoDBClient, name: string, tenant: TenantId, afterwards?: Afterwards) {
    super(client, name);
    this.#tenant = tenant;
    this.#prefix = `T#${tenant}#`;
    this.#afterwards = afterwards;
  }

  protected override own<K extends Pick<Key, 'pk'>>(key: K): K {
    if (!key.pk.startsWith(this.#prefix)) throw new TypeError('A key outside of the tenant');
    return key;
  }

  /** The items that exist, in the order of the keys. */
  async getAll<T = Item>(keys: readonly Key[], ConsistentRead = true): Promise<(T & Key)[]> {
    const found = new Map<string, T & Key>();
    // DynamoDB refuses a batch that contains a key twice.
    const distinct = new Map(keys.map(({ pk, sk }) => [`${pk}\n${sk}`, { pk, sk }]));
    let wanted = [...distinct.values()].map((key) => into(this.own(key)));
    let leftOver = 0;
    while (wanted.length > 0) {
      const now = wanted.slice(0, KEYS_AT_ONCE);
      const answer = await this.client.send(
        new BatchGetItemCommand({ RequestItems: { [this.name]: { Keys: now, ConsistentRead } } }),
      );
      for (const item of answer.Responses?.[this.name] ?? []) {
        const plain = out(item) as T & Key;
        found.set(`${plain.pk}\n${plain.sk}`, plain);
      }
      const unread = answer.UnprocessedKeys?.[this.name]?.Keys ?? [];
      wanted = [...unread, ...wanted.slice(KEYS_AT_ONCE)];
      leftOver = unread.length === 0 ? 0 : leftOver + 1;
      if (leftOver > BATCH_RETRIES) throw new Unread(unread.length);
      // API_BatchGetItem: an immediate retry would most likely leave the same keys unread.
      if (leftOver > 0) await backoff(leftOver - 1);
    }
    return keys.map((key) => found.get(`${key.pk}\n${key.sk}`)).filter((item) => item !== undefined);
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
        await this.client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken: token }));
        if (awaited.length > 0) defined(this.#afterwards)(awaited);
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
      return { Put: { TableName: this.name, ...this.putOf(write.put, write.condition, write.values) } };
    }
    if ('update' in write) return { Update: { TableName: this.name, ...this.updateOf(write.update) } };
    if ('check' in write)
      return {
        ConditionCheck: { ...this.#bareOf(write.check, write), ConditionExpression: write.condition },
      };
    if ('announce' in write || 'withdraw' in write) return this.#adminAction(write);
    return { Delete: { ...this.#bareOf(write.delete, write), ConditionExpression: write.condition } };
  }

  #bareOf({ pk, sk }: Key, { values, names }: { values?: Values; names?: Names }) {
    return {
      TableName: this.name,
      Key: into(this.own({ pk, sk })),
      ExpressionAttributeValues: bound(values),
      ExpressionAttributeNames: names && { ...names },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
  }

  /** The action on an entry of the admin partitions. It fails if another tenant announced the entry. */
  #adminAction(write: { announce: Key } | { withdraw: Key }): TransactWriteItem {
    const { pk, sk } = 'announce' in write ? write.announce : write.withdraw;
    if (!pk.startsWith(ADMIN_PREFIX)) throw new TypeError('A key outside of the admin partitions');
    const own = {
      TableName: this.name,
      ConditionExpression: 'attribute_not_exists(pk) OR tenant = :tenant',
      ExpressionAttributeValues: bound({ tenant: this.#tenant }),
    };
    if ('withdraw' in write) return { Delete: { ...own, Key: into({ pk, sk }) } };
    return { Put: { ...own, Item: into({ ...write.announce, tenant: this.#tenant }) } };
  }
}

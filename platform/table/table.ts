/** One DynamoDB table, read and written as plain objects. */
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type IdRange, type IdSource, idSource } from './id-ranges.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export type Values = Readonly<Record<string, unknown>>;
export type Item = Key & Values;
/** An item, or only a key: an index entry may have no other attributes. */
export type Writable = Key | Item;

/** Thrown if a condition failed. Contains the current item, or null if it does not exist. */
export class ConditionFailed extends Error {
  readonly current: Item | null;
  constructor(current: Item | null) {
    super('The condition of a write did not hold');
    this.name = 'ConditionFailed';
    this.current = current;
  }
}

export interface Update {
  readonly key: Key;
  /** `SET a = :a REMOVE b`. Attribute names that are reserved words go into `names`. */
  readonly expression: string;
  readonly values?: Values;
  readonly names?: Readonly<Record<string, string>>;
  readonly condition?: string;
}

export interface QueryInput {
  readonly pk: string;
  /** Reads only sort keys with this prefix. */
  readonly beginsWith?: string;
  /** Reads only sort keys up to and including this one. */
  readonly upTo?: string;
  readonly newestFirst?: boolean;
  readonly limit?: number;
  /** Whether the read includes all earlier writes. */
  readonly consistent?: boolean;
  /** Attributes to read; all when absent. */
  readonly only?: readonly string[];
  readonly after?: Key | undefined;
}

export const out = (item: Record<string, unknown> | undefined): Item | null =>
  item === undefined ? null : (unmarshall(item as never) as Item);
export const into = (values: object) =>
  marshall(values as Record<string, unknown>, {
    removeUndefinedValues: true,
    // Otherwise an object with a member named `constructor` counts as a class instance, and is refused.
    convertClassInstanceToMap: true,
  });
export const bound = (values: Values | undefined) =>
  values === undefined
    ? undefined
    : into(Object.fromEntries(Object.entries(values).map(([k, v]) => [`:${k}`, v])));

export class Table implements IdSource {
  protected readonly client: DynamoDBClient;
  protected readonly name: string;
  readonly #ids: IdSource;

  constructor(client: DynamoDBClient, name: string) {
    this.client = client;
    this.name = name;
    this.#ids = idSource(client, name);
  }

  /** Returns the key. Subclasses throw if the key is not allowed. */
  protected own<K extends Pick<Key, 'pk'>>(key: K): K {
    return key;
  }

  async get<T = Item>({ pk, sk }: Key, consistent = true): Promise<(T & Key) | null> {
    const answer = await this.client.send(
      new GetItemCommand({
        TableName: this.name,
        Key: into(this.own({ pk, sk })),
        ConsistentRead: consistent,
      }),
    );
    return out(answer.Item) as (T & Key) | null;
  }

  async put(item: Writable, condition?: string, values?: Values): Promise<void> {
    await this.#conditional(() =>
      this.client.send(new PutItemCommand({ TableName: this.name, ...this.putOf(item, condition, values) })),
    );
  }

  async update<T = Item>(update: Update): Promise<T & Key> {
    return this.#conditional(async () => {
      const answer = await this.client.send(
        new UpdateItemCommand({ TableName: this.name, ...this.updateOf(update), ReturnValues: 'ALL_NEW' }),
      );
      return out(answer.Attributes) as T & Key;
    });
  }

  /** Updates the item if the condition holds. Returns the item as it is now, changed or not. Null if the item does not exist. */
  async tryUpdate(update: Update): Promise<{ readonly isDone: boolean; readonly item: Item | null }> {
    try {
      return { isDone: true, item: await this.update(update) };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return { isDone: false, item: error.current };
    }
  }

  /** Like `tryUpdate`, for an item that must exist. Throws ConditionFailed if it does not. */
  async updateOrRead(update: Update): Promise<Item> {
    const { item } = await this.tryUpdate(update);
    if (item === null) throw new ConditionFailed(null);
    return item;
  }

  /** Updates a large item without reading it. False if the condition does not hold. */
  async change(update: Update): Promise<boolean> {
    const write = { ...this.updateOf(update), ReturnValuesOnConditionCheckFailure: 'NONE' as const };
    try {
      await this.client.send(new UpdateItemCommand({ TableName: this.name, ...write }));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async delete({ pk, sk }: Key): Promise<void> {
    await this.client.send(new DeleteItemCommand({ TableName: this.name, Key: into(this.own({ pk, sk })) }));
  }

  /** One page of a Query, and the key to continue after, if there is more. */
  async query<T = Item>(input: QueryInput): Promise<{ items: (T & Key)[]; next: Key | undefined }> {
    const answer = await this.client.send(
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
    const { Count = 0, LastEvaluatedKey } = await this.client.send(query);
    return { count: Count, next: out(LastEvaluatedKey) ?? undefined };
  }

  #queryOf(input: QueryInput) {
    this.own(input);
    const range =
      input.beginsWith !== undefined
        ? ' AND begins_with(sk, :sk)'
        : input.upTo !== undefined
          ? ' AND sk <= :sk'
          : '';
    return {
      TableName: this.name,
      KeyConditionExpression: `pk = :pk${range}`,
      ExpressionAttributeValues: into({ ':pk': input.pk, ':sk': input.beginsWith ?? input.upTo }),
      ScanIndexForward: !input.newestFirst,
      ConsistentRead: input.consistent,
      Limit: input.limit,
      ExclusiveStartKey: input.after && into({ pk: input.after.pk, sk: input.after.sk }),
    };
  }

  async ids(range: IdRange) {
    return this.#ids.ids(this.own(range));
  }

  async countIds(range: IdRange) {
    return this.#ids.countIds(this.own(range));
  }

  /** All items of a Query. Use it for children of one asset, never for lists that grow with the tenant. */
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

  protected putOf(item: Writable, condition?: string, values?: Values) {
    return {
      Item: into({ ...this.own(item) }),
      ConditionExpression: condition,
      ExpressionAttributeValues: bound(values),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
  }

  protected updateOf({ key, expression, values, names, condition }: Update) {
    return {
      Key: into(this.own({ pk: key.pk, sk: key.sk })),
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

export interface ChangeTerms {
  /** An attribute that rises by one with the change. */
  readonly raises?: string;
  /** `#version = :seen`: attributes as `#name`, values as `:name`. */
  readonly condition?: string;
  readonly values?: Values;
}

/** The update of an item that sets these attributes. Names become placeholders, since many are reserved words. */
export function buildUpdate(key: Key, set: Values, { raises, condition, values }: ChangeTerms = {}): Update {
  const fields = Object.entries(set);
  const assignments = fields.map(([name]) => `#${name} = :set_${name}`).join(', ');
  const expression = `SET ${assignments}${raises === undefined ? '' : ` ADD #${raises} :one`}`;
  const mentioned = `${expression} ${condition ?? ''}`.match(/#\w+/g) ?? [];
  return {
    key,
    expression,
    // DynamoDB refuses names that no expression uses.
    names: Object.fromEntries(mentioned.map((name) => [name, name.slice(1)])),
    values: {
      ...Object.fromEntries(fields.map(([name, value]) => [`set_${name}`, value])),
      ...values,
      ...(raises !== undefined && { one: 1 }),
    },
    ...(condition !== undefined && { condition }),
  };
}

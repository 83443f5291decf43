/**
 * Holds what a handler really asks of DynamoDB against the policy that its function has, in every test that sends requests: the
 * policies follow from reading the code (toolchain/calls), and this is the proof that nothing was overlooked.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import calls from '../../lib/shared/calls.json' with { type: 'json' };

interface Access {
  readonly table: string;
  readonly action: string;
  readonly partition: string;
}

type Reached = Readonly<
  Record<string, { tables: Record<string, { actions: string[]; keys: string[] } | undefined> }>
>;
// biome-ignore lint/suspicious/noExplicitAny: inputs of commands have another shape in each
type Input = any;

const functions = new AsyncLocalStorage<string>();
let isWatching = false;

/** @param id logical id of the function that does the work */
export function asFunction<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  watch();
  return functions.run(id, work);
}

/** What a test does itself while a function works. */
export const asTest = <Result>(work: () => Result): Result => functions.exit(work);

/** Once a process: a client that is made later is of the same class. */
function watch(): void {
  if (isWatching) return;
  isWatching = true;
  const prototype = DynamoDBClient.prototype as unknown as {
    send(command: object, ...more: unknown[]): unknown;
  };
  const { send } = prototype;
  prototype.send = function (this: DynamoDBClient, command: object, ...more: unknown[]) {
    const id = functions.getStore();
    if (id !== undefined) requireAllowed(id, command);
    return send.call(this, command, ...more);
  };
}

function requireAllowed(id: string, command: object): void {
  const name = command.constructor.name.replace(/Command$/, '');
  for (const { table, action, partition } of accessesOf(name, (command as { input: Input }).input)) {
    const allowed = (calls as Reached)[id]?.tables[table];
    const isAction = allowed?.actions.includes(`dynamodb:${action}`);
    const isPartition = allowed?.keys.some((key) => partition.startsWith(key.slice(0, -1)));
    if (!isAction || !isPartition)
      throw new Error(`The policy of ${id} does not allow ${action} of ${partition} in ${table}`);
  }
}

const writes = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

function accessesOf(name: string, input: Input): Access[] {
  if (name === 'TransactWriteItems') {
    return input.TransactItems.flatMap((item: Input) =>
      Object.entries(writes).flatMap(([kind, action]) => (item[kind] ? accessesOf(action, item[kind]) : [])),
    );
  }
  if (name === 'BatchGetItem') {
    return Object.entries(input.RequestItems).flatMap(([table, { Keys }]: [string, Input]) =>
      Keys.map((key: Input) => ({ table, action: name, partition: key.pk.S })),
    );
  }
  const { Key, Item, ExpressionAttributeValues } = input;
  const partition = (Key ?? Item)?.pk ?? ExpressionAttributeValues?.[':pk'];
  return [{ table: input.TableName, action: name, partition: partition?.S ?? '' }];
}

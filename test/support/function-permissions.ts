/**
 * Gives handlers in the test's process the permissions of their function. The role in the synthesized template
 * evaluates each request to DynamoDB, S3 and Step Functions. Without a template (`npm run build` makes it), all
 * requests are allowed.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { permissionsOfDynamoDb } from '../../local/dynamodb/permissions.ts';
import { type Authorizer, createAuthorizer } from '../../local/iam/authorizer.ts';
import type { Access } from '../../local/iam/evaluate.ts';
import { permissionsOfS3, permissionToList } from '../../local/s3/auth/permissions.ts';
import { permissionsOfStepFunctions } from '../../local/stepfunctions/permissions.ts';
import { withoutStatement } from '../../local/template/iam.ts';
import { type LocalTemplate, readTemplate } from '../../local/template/index.ts';
import { keepPublishedIn, type Published } from '../../platform/outbox/published-events.ts';
import { assemblyFolder } from '../../toolchain/bundle/paths.ts';

const at = { region: 'us-east-1', account: '000000000000', apiUrl: 'http://localhost' };

/** A running function, and the events that it published, which no other function may deliver. */
const functions = new AsyncLocalStorage<{ readonly id: string; readonly published: Published }>();
keepPublishedIn(() => functions.getStore()?.published);

/** @param id the logical id of the function */
export async function asFunction<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  await judgeRequests();
  return functions.run({ id, published: new Map() }, work);
}

/** Starts judging, once a process. Code that replaces `send` of the SDK's clients calls this first. */
export function judgeRequests(): Promise<void> {
  judge ??= startJudging();
  return judge;
}

export const asTest = <Result>(work: () => Result): Result => functions.exit(work);

/** Requests that a role did not allow. `record-decisions.ts` checks them after each test file. */
const shared = globalThis as { deniedRequests?: string[] };
shared.deniedRequests ??= [];
const denied = shared.deniedRequests;

let judge: Promise<void> | undefined;

interface Command {
  readonly input: Record<string, unknown>;
}
type Send = (
  this: { config: { serviceId: string } },
  command: Command,
  ...more: unknown[]
) => Promise<unknown>;

/** Runs once per process. All clients of the SDK have the same base class. */
async function startJudging(): Promise<void> {
  if (!existsSync(join(assemblyFolder, 'manifest.json'))) {
    process.stderr.write('No template in cdk.out: tests do not check permissions. Run `npm run build`.\n');
    return;
  }
  const template = await readTemplate(assemblyFolder, 'Kinora-dev-', at);
  const [role, statement] = (process.env.LOCAL_CLOUD_WITHOUT ?? '').split(' ');
  const authorizer = createAuthorizer({
    ...(role && statement ? withoutStatement(template.iam, { role, statement }) : template.iam),
    ...(process.env.LOCAL_CLOUD_DECISIONS && { decisionsFile: process.env.LOCAL_CLOUD_DECISIONS }),
  });
  const prototype = Object.getPrototypeOf(DynamoDBClient.prototype) as { send: Send };
  const { send } = prototype;
  prototype.send = async function (command, ...more) {
    const id = functions.getStore()?.id;
    const roleArn = template.functions.find(({ logicalId }) => logicalId === id)?.roleArn;
    if (id === undefined || roleArn === undefined) return send.call(this, command, ...more);
    const name = command.constructor.name.replace(/Command$/, '');
    const caller = { roleArn, sessionName: id };
    authorize(authorizer, caller, permissionsOf(this.config.serviceId, name, command, template));
    try {
      return await send.call(this, command, ...more);
    } catch (error) {
      const isMissing = ['NoSuchKey', 'NotFound'].includes((error as Error).name);
      if (isMissing && command.input.Bucket === 'media')
        authorize(authorizer, caller, permissionToList(bucketOf(command.input, template)));
      throw error;
    }
  };
}

function authorize(
  authorizer: Authorizer,
  caller: { roleArn: string; sessionName: string },
  accesses: Access[],
) {
  try {
    authorizer.authorize(caller, accesses);
  } catch (error) {
    denied.push(`${caller.sessionName}: ${(error as Error).message}`);
    throw error;
  }
}

function permissionsOf(service: string, name: string, { input }: Command, template: LocalTemplate): Access[] {
  if (service === 'DynamoDB')
    return permissionsOfDynamoDb(name, withTables(input, template), { ...at, ...template });
  if (service === 'SFN') return permissionsOfStepFunctions(name, withMachines(input, template));
  if (service === 'STS' && name === 'AssumeRole')
    return [{ action: 'sts:AssumeRole', resource: String(input.RoleArn), context: {} }];
  // Other buckets are those of tenants, which a function uses with the credentials of a role that it assumed.
  if (service !== 'S3' || input.Bucket !== 'media') return [];
  const bucket = bucketOf(input, template);
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const [key, versionId, prefix] = [text(input.Key), text(input.VersionId), text(input.Prefix)];
  const deleted = (input.Delete as { Objects: { Key: string }[] } | undefined)?.Objects ?? [];
  if (name === 'DeleteObjects')
    return deleted.flatMap(({ Key }) => permissionsOfS3({ name: 'DeleteObject', bucket, key: Key }));
  const [, sourceKey] = /^\/?[^/]+\/(.+)$/.exec(text(input.CopySource) ?? '') ?? [];
  return permissionsOfS3({
    ...{ name, bucket },
    ...(key !== undefined && { key }),
    ...(versionId !== undefined && { versionId }),
    ...(prefix !== undefined && { prefix }),
    ...(sourceKey !== undefined && { source: { bucket, key: decodeURIComponent(sourceKey) } }),
  });
}

/** In these tests, the bucket and the tables are named like their logical ids in the template, or nearly so. */
const bucketOf = ({ Bucket }: Command['input'], { buckets }: LocalTemplate): string =>
  Bucket === 'media' ? (buckets.find(({ logicalId }) => logicalId === 'Media')?.name ?? '') : String(Bucket);

/** `…:stateMachine:VOICE_OVER`: tests name machines like the environment variables of functions. */
function withMachines(input: Record<string, unknown>, { stateMachines }: LocalTemplate): object {
  const plain = (name: string) =>
    name
      .replaceAll('_', '')
      .toLowerCase()
      .replace(/machine$/, '');
  const renamed = (arn: unknown) =>
    String(arn).replace(/(?<=:(?:stateMachine|execution):)[^:]+/, (given) => {
      const machine = stateMachines.find(({ logicalId }) => plain(logicalId) === plain(given));
      return machine?.name ?? given;
    });
  const { stateMachineArn, executionArn } = input;
  return {
    ...(stateMachineArn !== undefined && { stateMachineArn: renamed(stateMachineArn) }),
    ...(executionArn !== undefined && { executionArn: renamed(executionArn) }),
  };
}

function withTables(input: Record<string, unknown>, template: LocalTemplate): object {
  const physical = (id: string) => template.tables.find(({ logicalId }) => logicalId === id)?.name ?? id;
  const renamed = (part: Record<string, unknown>) =>
    part.TableName === undefined ? part : { ...part, TableName: physical(String(part.TableName)) };
  const { TransactItems, RequestItems } = input as {
    TransactItems?: Record<string, Record<string, unknown>>[];
    RequestItems?: Record<string, unknown>;
  };
  return {
    ...renamed(input),
    ...(TransactItems && {
      TransactItems: TransactItems.map((item) =>
        Object.fromEntries(Object.entries(item).map(([kind, part]) => [kind, renamed(part)])),
      ),
    }),
    ...(RequestItems && {
      RequestItems: Object.fromEntries(
        Object.entries(RequestItems).map(([id, part]) => [physical(id), part]),
      ),
    }),
  };
}

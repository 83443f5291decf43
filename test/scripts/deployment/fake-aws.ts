/**
 * A small AWS by aws-sdk-client-mock: stacks with their buckets, tables, functions and logs. Deletion follows
 * CloudFormation's reference. No call reaches AWS, so the tests do not prove that AWS still behaves as documented.
 */
import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  ListStackResourcesCommand,
  type StackEvent,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import {
  CloudWatchLogsClient,
  DeleteLogGroupCommand,
  DescribeLogGroupsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import {
  GetResourcesCommand,
  ResourceGroupsTaggingAPIClient,
} from '@aws-sdk/client-resource-groups-tagging-api';
import {
  AbortMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';

interface FakeResource {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** The resource stays when its stack is deleted. */
  readonly isRetained?: boolean;
}

interface FakeStack {
  readonly name: string;
  readonly region: string;
  readonly resources: FakeResource[];
  status: string;
  outputs?: Readonly<Record<string, string>>;
  isProtected?: boolean;
  isUnderWay?: boolean;
  /** Failures of its deletion. */
  readonly events: StackEvent[];
}

interface FakeBucket {
  /** Versions and delete markers. */
  versions: number;
  uploads: number;
  /** Objects that someone writes after the bucket was emptied, one each time. */
  late?: number;
}

/** S3 lists and deletes at most this many objects per request. */
const PAGE = 1000;

export class FakeAws {
  readonly stacks: FakeStack[] = [];
  readonly buckets = new Map<string, FakeBucket>();
  readonly logGroups: { region: string; name: string }[] = [];
  readonly tables: string[] = [];
  /** ARNs with the environment's tags, besides the buckets. `stack` is CloudFormation's own tag. */
  readonly tagged: { region: string; arn: string; stack?: string }[] = [];
  /** The number of further responses in which the Tagging API lists deleted resources. */
  tagsLinger = 0;
  /** Names of the deleted resources, in order. */
  readonly deleted: string[] = [];

  readonly #cloudFormation = mockClient(CloudFormationClient);
  readonly #s3 = mockClient(S3Client);
  readonly #logs = mockClient(CloudWatchLogsClient);

  constructor() {
    this.#answerStacks();
    this.#answerBuckets();
    this.#answerLogs();
    this.#answerOthers();
  }

  add(name: string, region: string, resources: FakeResource[], more: Partial<FakeStack> = {}): void {
    this.stacks.push({ name, region, resources, status: 'CREATE_COMPLETE', events: [], ...more });
  }

  readonly idOf = ({ name, region }: Pick<FakeStack, 'name' | 'region'>) =>
    `arn:aws:cloudformation:${region}:123456789012:stack/${name}/51af3dc0-da77-11e4-872e-1234567db123`;

  #fail(stack: FakeStack, { id, name }: FakeResource, reason: string): void {
    stack.status = 'DELETE_FAILED';
    const failure = (LogicalResourceId: string, PhysicalResourceId: string, ResourceStatusReason: string) => {
      const ids = { StackId: this.idOf(stack), StackName: stack.name, EventId: `${stack.events.length}` };
      const stated = { LogicalResourceId, PhysicalResourceId, ResourceStatusReason };
      stack.events.push({ ...ids, ...stated, Timestamp: new Date(), ResourceStatus: 'DELETE_FAILED' });
    };
    failure(id, name, reason);
    failure(stack.name, this.idOf(stack), `The following resource(s) failed to delete: [${id}].`);
  }

  #answerStacks(): void {
    const there = (region: string) =>
      this.stacks.filter((stack) => stack.region === region && stack.status !== 'DELETE_COMPLETE');
    const found = async ({ StackName }: { StackName?: string }, clientOf: () => unknown) => {
      const region = await regionOf(clientOf);
      // DescribeStacks finds a deleted stack by its id.
      const stack =
        this.stacks.find((one) => this.idOf(one) === StackName) ??
        there(region).find((one) => one.name === StackName);
      if (stack !== undefined) return stack;
      throw named('ValidationError', `Stack with id ${StackName} does not exist`);
    };
    this.#cloudFormation.on(DescribeStacksCommand).callsFake(async (input, clientOf) => {
      const { StackName } = input;
      if (StackName === undefined)
        return { Stacks: there(await regionOf(clientOf)).map((stack) => this.#described(stack)) };
      const stack = await found(input, clientOf);
      // The first call finds the deletion in progress.
      if (stack.status === 'DELETE_IN_PROGRESS' && stack.isUnderWay) this.#goOnDeleting(stack);
      stack.isUnderWay = stack.status === 'DELETE_IN_PROGRESS';
      return { Stacks: [this.#described(stack)] };
    });
    this.#cloudFormation.on(ListStackResourcesCommand).callsFake(async (input, clientOf) => ({
      StackResourceSummaries: (await found(input, clientOf)).resources.map(({ id, type, name }) => ({
        LogicalResourceId: id,
        PhysicalResourceId: name,
        ResourceType: type,
        ResourceStatus: 'CREATE_COMPLETE',
      })),
    }));
    this.#cloudFormation.on(DescribeStackEventsCommand).callsFake(async (input, clientOf) => ({
      StackEvents: (await found(input, clientOf)).events.toReversed(),
    }));
    this.#cloudFormation.on(UpdateTerminationProtectionCommand).callsFake(async (input, clientOf) => {
      (await found(input, clientOf)).isProtected = input.EnableTerminationProtection;
      return {};
    });
    this.#cloudFormation.on(DeleteStackCommand).callsFake(async (input, clientOf) => {
      (await found(input, clientOf)).status = 'DELETE_IN_PROGRESS';
      return {};
    });
  }

  #described(stack: FakeStack) {
    return {
      StackId: this.idOf(stack),
      StackName: stack.name,
      StackStatus: stack.status,
      CreationTime: new Date(),
      EnableTerminationProtection: stack.isProtected ?? false,
      Outputs: Object.entries(stack.outputs ?? {}).map(([OutputKey, OutputValue]) => ({
        OutputKey,
        OutputValue,
      })),
    };
  }

  /** A bucket that is not empty stops the deletion, as CloudFormation's troubleshooting guide says. */
  #goOnDeleting(stack: FakeStack): void {
    for (const resource of [...stack.resources]) {
      const bucket = this.buckets.get(resource.name);
      if (bucket?.late) Object.assign(bucket, { versions: 1, late: bucket.late - 1 });
      if (!resource.isRetained && bucket !== undefined && bucket.versions + bucket.uploads > 0) {
        this.#fail(stack, resource, 'The bucket you tried to delete is not empty (Status Code: 409)');
        return;
      }
      if (!resource.isRetained) this.buckets.delete(resource.name);
      stack.resources.splice(stack.resources.indexOf(resource), 1);
    }
    stack.status = 'DELETE_COMPLETE';
    this.deleted.push(stack.name);
  }

  #answerBuckets(): void {
    const bucketOf = (name: string) => {
      const bucket = this.buckets.get(name);
      if (bucket === undefined) throw named('NoSuchBucket', 'The specified bucket does not exist');
      return bucket;
    };
    this.#s3.on(ListObjectVersionsCommand).callsFake(async ({ Bucket }) => {
      const keys = Array.from({ length: Math.min(PAGE, bucketOf(Bucket).versions) }, (_, at) => ({
        Key: `t/acme/${at}`,
        VersionId: `v${at}`,
      }));
      const half = Math.ceil(keys.length / 2);
      return { Versions: keys.slice(0, half), DeleteMarkers: keys.slice(half) };
    });
    this.#s3.on(DeleteObjectsCommand).callsFake(async ({ Bucket, Delete }) => {
      if (Delete.Objects.length > PAGE) throw named('MalformedXML', 'More than 1,000 keys');
      bucketOf(Bucket).versions -= Delete.Objects.length;
      return {};
    });
    this.#s3.on(ListMultipartUploadsCommand).callsFake(async ({ Bucket }) => ({
      Uploads: Array.from({ length: bucketOf(Bucket).uploads }, (_, at) => ({
        Key: `k${at}`,
        UploadId: `u${at}`,
      })),
    }));
    this.#s3.on(AbortMultipartUploadCommand).callsFake(async ({ Bucket }) => {
      bucketOf(Bucket).uploads -= 1;
      return {};
    });
    this.#s3.on(DeleteBucketCommand).callsFake(async ({ Bucket }) => {
      if (bucketOf(Bucket).versions > 0)
        throw named('BucketNotEmpty', 'The bucket you tried to delete is not empty');
      this.buckets.delete(Bucket);
      this.deleted.push(Bucket);
      return {};
    });
  }

  #answerLogs(): void {
    this.#logs.on(DescribeLogGroupsCommand).callsFake(async (_, clientOf) => {
      const region = await regionOf(clientOf);
      const here = this.logGroups.filter((group) => group.region === region);
      return { logGroups: here.map(({ name }) => ({ logGroupName: name })) };
    });
    this.#logs.on(DeleteLogGroupCommand).callsFake(async ({ logGroupName }) => {
      const at = this.logGroups.findIndex(({ name }) => name === logGroupName);
      this.logGroups.splice(at, 1);
      this.deleted.push(logGroupName);
      return {};
    });
  }

  #answerOthers(): void {
    mockClient(DynamoDBClient)
      .on(ListTablesCommand)
      .callsFake(async () => ({ TableNames: this.tables }));
    const others = { Functions: [{ FunctionName: 'somebody-elses' }] };
    mockClient(LambdaClient).on(ListFunctionsCommand).resolves(others);
    mockClient(KMSClient)
      .on(DescribeKeyCommand)
      .callsFake(async ({ KeyId }) => ({
        KeyMetadata: { KeyId, KeyState: 'PendingDeletion', DeletionDate: new Date('2026-12-22T00:00:00Z') },
      }));
    mockClient(ResourceGroupsTaggingAPIClient)
      .on(GetResourcesCommand)
      .callsFake(async (_, clientOf) => {
        const region = await regionOf(clientOf);
        const here = [...this.buckets.keys()].map((name) => `arn:aws:s3:::${name}`);
        if (this.tagsLinger > 0)
          here.push('arn:aws:dynamodb:eu-central-1:123456789012:table/Kinora-dev-Data-Core-1ABC');
        if (region === 'eu-central-1' && this.buckets.size === 0)
          this.tagsLinger = Math.max(0, this.tagsLinger - 1);
        const own = here.map((arn) => ({ region: 'eu-central-1', arn }));
        const all: typeof this.tagged = [...this.tagged, ...own];
        return {
          ResourceTagMappingList: all
            .filter((one) => one.region === region)
            .map(({ arn, stack }) => ({
              ResourceARN: arn,
              Tags: stack === undefined ? [] : [{ Key: 'aws:cloudformation:stack-id', Value: stack }],
            })),
        };
      });
  }
}

const regionOf = (clientOf: () => unknown) =>
  (clientOf() as { config: { region(): Promise<string> } }).config.region();

const named = (name: string, message: string) => Object.assign(new Error(message), { name });

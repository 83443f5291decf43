/** Computes the local names of deployed resources: the values of `Ref` and `Fn::GetAtt`. */
import { uuidOf } from '../uuid.ts';

/** The region and account of the local cloud, and the origin of its API. */
export type Locality = { region: string; account: string; apiUrl: string };

/** A resource with resolved properties. `stack` and `id` together identify it. */
export type Named = {
  stack: string;
  id: string;
  type: string;
  properties: Record<string, unknown>;
};

/** The value of `Ref`, and the attributes for `Fn::GetAtt`. */
export type Identity = { ref: string; attributes: Record<string, string> };

type Naming = (resource: Named, at: Locality) => Identity;

/** Returns the identity of a resource (CloudFormation reference, "Return values"). An unlisted type has no attributes. */
export function identityOf(resource: Named, at: Locality): Identity {
  const naming = namings[resource.type];
  return naming ? naming(resource, at) : { ref: fullName(resource), attributes: {} };
}

/** Returns the name of the function in a Lambda ARN (also a qualified one) or in the URI of an API Gateway integration. */
export function functionNameIn(arn: string): string | undefined {
  return /:function:([A-Za-z0-9_-]+)/.exec(arn)?.[1];
}

const table: Naming = (resource, at) => {
  const name = given(resource, 'TableName') ?? fullName(resource);
  return { ref: name, attributes: { Arn: arn('dynamodb', at, `table/${name}`) } };
};

const namings: Record<string, Naming> = {
  'AWS::DynamoDB::Table': table,
  'AWS::DynamoDB::GlobalTable': table,

  'AWS::S3::Bucket': (resource, at) => {
    const name = given(resource, 'BucketName') ?? bucketName(fullName(resource));
    const domain = `${name}.s3.${at.region}.amazonaws.com`;
    return {
      ref: name,
      attributes: {
        Arn: `arn:aws:s3:::${name}`,
        DomainName: `${name}.s3.amazonaws.com`,
        RegionalDomainName: domain,
      },
    };
  },

  // As for `sam local invoke`, the name of a function is its logical id, which is readable in logs and commands.
  'AWS::Lambda::Function': (resource, at) => {
    const name = given(resource, 'FunctionName') ?? resource.id;
    return { ref: name, attributes: { Arn: arn('lambda', at, `function:${name}`) } };
  },
  'AWS::Lambda::Version': (resource) => qualified(resource, '$LATEST'),
  'AWS::Lambda::Alias': (resource) => qualified(resource, given(resource, 'Name') ?? 'live'),

  'AWS::StepFunctions::StateMachine': (resource, at) => {
    const name = given(resource, 'StateMachineName') ?? resource.id;
    const value = arn('states', at, `stateMachine:${name}`);
    return { ref: value, attributes: { Arn: value, Name: name } };
  },

  'AWS::Scheduler::Schedule': (resource, at) => {
    const name = given(resource, 'Name') ?? fullName(resource);
    return { ref: name, attributes: { Arn: arn('scheduler', at, `schedule/default/${name}`) } };
  },
  'AWS::Events::Rule': (resource, at) => {
    const name = given(resource, 'Name') ?? fullName(resource);
    return { ref: name, attributes: { Arn: arn('events', at, `rule/${name}`) } };
  },

  'AWS::ApiGatewayV2::Api': (resource, at) => ({
    ref: resource.id,
    attributes: { ApiId: resource.id, ApiEndpoint: at.apiUrl },
  }),
  'AWS::ApiGatewayV2::Stage': (resource) => ({
    ref: given(resource, 'StageName') ?? '$default',
    attributes: {},
  }),

  'AWS::KMS::Key': (resource, at) => {
    const id = uuidOf(fullName(resource));
    return { ref: id, attributes: { KeyId: id, Arn: arn('kms', at, `key/${id}`) } };
  },
  'AWS::IAM::Role': (resource, at) => {
    const name = given(resource, 'RoleName') ?? fullName(resource);
    return { ref: name, attributes: { Arn: `arn:aws:iam::${at.account}:role/${name}` } };
  },
  'AWS::IAM::ManagedPolicy': (resource, at) => {
    const name = given(resource, 'ManagedPolicyName') ?? fullName(resource);
    return { ref: `arn:aws:iam::${at.account}:policy/${name}`, attributes: {} };
  },
  'AWS::Logs::LogGroup': (resource, at) => {
    const name = given(resource, 'LogGroupName') ?? fullName(resource);
    return { ref: name, attributes: { Arn: arn('logs', at, `log-group:${name}:*`) } };
  },
  'AWS::SNS::Topic': (resource, at) => {
    const value = arn('sns', at, fullName(resource));
    return { ref: value, attributes: { TopicArn: value, TopicName: fullName(resource) } };
  },
  'AWS::SQS::Queue': (resource, at) => ({
    ref: `https://sqs.${at.region}.amazonaws.com/${at.account}/${fullName(resource)}`,
    attributes: { Arn: arn('sqs', at, fullName(resource)), QueueName: fullName(resource) },
  }),
};

function qualified(resource: Named, qualifier: string): Identity {
  const name = String(resource.properties.FunctionName);
  return { ref: `${name}:${qualifier}`, attributes: { FunctionArn: `${name}:${qualifier}` } };
}

function given({ properties }: Named, property: string): string | undefined {
  const value = properties[property];
  return typeof value === 'string' ? value : undefined;
}

function fullName({ stack, id }: Named): string {
  return `${stack}-${id}`;
}

function arn(service: string, { region, account }: Locality, resource: string): string {
  return `arn:aws:${service}:${region}:${account}:${resource}`;
}

/** Returns a valid bucket name: 3–63 characters of a–z, 0–9, dot and hyphen. */
function bucketName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '-')
    .slice(0, 63)
    .replace(/[-.]+$/, '');
}

/** Reads tables and buckets from a template. */
import type { Resolved } from './resolved.ts';

type KeySchema = { AttributeName: string; KeyType: 'HASH' | 'RANGE' }[];
type Projection = { ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'; NonKeyAttributes?: string[] };
export type SecondaryIndex = { IndexName: string; KeySchema: KeySchema; Projection: Projection };

export type TableView = {
  logicalId: string;
  name: string;
  keySchema: KeySchema;
  attributes: { AttributeName: string; AttributeType: 'S' | 'N' | 'B' }[];
  globalIndexes: SecondaryIndex[];
  localIndexes: SecondaryIndex[];
  /** The name of the attribute with the expiry of an item, in seconds since the epoch. After the expiry, the item may be deleted. */
  ttlAttribute?: string;
};

export type CorsRule = {
  allowedOrigins: string[];
  allowedMethods: string[];
  allowedHeaders: string[];
  exposedHeaders: string[];
  /** In seconds. */
  maxAge?: number;
};

export type BucketView = {
  logicalId: string;
  name: string;
  cors: CorsRule[];
  abortIncompleteUploadsAfterDays?: number;
  isVersioned?: boolean;
};

export function readTable({ logicalId, ref, properties }: Resolved): TableView {
  const ttl = properties.TimeToLiveSpecification as { AttributeName?: string; Enabled: boolean } | undefined;
  return {
    logicalId,
    name: ref,
    keySchema: properties.KeySchema as KeySchema,
    attributes: properties.AttributeDefinitions as TableView['attributes'],
    globalIndexes: indexes(properties.GlobalSecondaryIndexes),
    localIndexes: indexes(properties.LocalSecondaryIndexes),
    ...(ttl?.Enabled && ttl.AttributeName ? { ttlAttribute: ttl.AttributeName } : {}),
  };
}

/** Reads indexes. Throughput settings are ignored, because local tables have no limit. */
function indexes(value: unknown): SecondaryIndex[] {
  return ((value ?? []) as SecondaryIndex[]).map(({ IndexName, KeySchema, Projection }) => ({
    IndexName,
    KeySchema,
    Projection,
  }));
}

/** Reads a bucket. Throws for a CORS rule that S3 would refuse. */
export function readBucket({ stack, logicalId, ref, properties }: Resolved): BucketView {
  const cors = properties.CorsConfiguration as { CorsRules?: TemplateCorsRule[] } | undefined;
  const versioning = properties.VersioningConfiguration as { Status?: string } | undefined;
  const lifecycle = properties.LifecycleConfiguration as { Rules?: TemplateLifecycleRule[] } | undefined;
  const days = (lifecycle?.Rules ?? [])
    .filter((rule) => rule.Status === 'Enabled')
    .flatMap((rule) => rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation ?? []);
  return {
    logicalId,
    name: ref,
    cors: (cors?.CorsRules ?? []).map((rule) => readCorsRule(rule, `${stack.name}.${logicalId}`)),
    ...(versioning?.Status === 'Enabled' && { isVersioned: true }),
    ...(days.length > 0 ? { abortIncompleteUploadsAfterDays: Math.min(...days) } : {}),
  };
}

type TemplateCorsRule = {
  AllowedMethods: string[];
  AllowedOrigins: string[];
  AllowedHeaders?: string[];
  ExposedHeaders?: string[];
  MaxAge?: number;
};

type TemplateLifecycleRule = {
  Status: 'Enabled' | 'Disabled';
  AbortIncompleteMultipartUpload?: { DaysAfterInitiation: number };
};

const corsMethods = ['GET', 'PUT', 'HEAD', 'POST', 'DELETE'];

/** Reads a CORS rule. Source: "Elements of a CORS configuration" in the Amazon S3 user guide. */
function readCorsRule(rule: TemplateCorsRule, place: string): CorsRule {
  const wildcards = (text: string) => text.split('*').length - 1;
  const method = rule.AllowedMethods.find((each) => !corsMethods.includes(each));
  if (method) throw new Error(`${place}: S3 has no CORS for the method ${method}`);
  const pattern = [...rule.AllowedOrigins, ...(rule.AllowedHeaders ?? [])].find(
    (each) => wildcards(each) > 1,
  );
  if (pattern) throw new Error(`${place}: S3 takes one * in a CORS pattern at most, not ${pattern}`);
  const exposed = rule.ExposedHeaders?.find((each) => wildcards(each) > 0);
  if (exposed) throw new Error(`${place}: S3 takes no * in the exposed headers of CORS: ${exposed}`);
  return {
    allowedOrigins: rule.AllowedOrigins,
    allowedMethods: rule.AllowedMethods,
    allowedHeaders: rule.AllowedHeaders ?? [],
    exposedHeaders: rule.ExposedHeaders ?? [],
    ...(rule.MaxAge === undefined ? {} : { maxAge: rule.MaxAge }),
  };
}

/** What stands in the bundles for parts of the AWS SDK that no Lambda of Kinora reaches (sdk-plugin.ts). */

const unused = (part: string) => () => {
  throw new Error(`The bundles leave ${part} of the AWS SDK out: toolchain/bundle/sdk-plugin.ts`);
};

/** Stands for `@smithy/core/event-streams`: streaming operations such as SelectObjectContent, or Polly's in two directions. */
export const eventStreamSerdeProvider = () => ({});
export const resolveEventStreamSerdeConfig = <Config extends object>(config: Config) => config;
export class EventStreamSerde {
  serializeEventStream = unused('event streams');
  deserializeEventStream = unused('event streams');
}

export class EventStreamCodec {
  encode = unused('event streams');
  decode = unused('event streams');
}

/** Stands for `@aws-sdk/endpoint-cache`: endpoint discovery, which DynamoDB's clients have switched off. */
export class EndpointCache {
  get = unused('endpoint discovery');
  set = unused('endpoint discovery');
}

/**
 * Stands for the configuration: the files ~/.aws/config and ~/.aws/credentials, and the region of an EC2
 * instance.
 */
export const CONFIG_PREFIX_SEPARATOR = '.';
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });
export const getInstanceMetadataRegion = async () => undefined;

/** Stands for the checksums: SHA-256 in JavaScript, for runtimes without `node:crypto`. */
export class Sha256Js {
  update = unused('SHA-256 in JavaScript');
  digest = unused('SHA-256 in JavaScript');
}

/** Replacements for parts of the AWS SDK that no Lambda of Kinora uses (sdk-plugin.ts). */

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

/** Stand for `@aws-sdk/middleware-eventstream`, `-websocket` and `eventstream-handler-node`: models that answer as they write. */
export const eventStreamPayloadHandlerProvider = () => ({});
export const resolveEventStreamConfig = <Config extends object>(config: Config) => config;
export const resolveWebSocketConfig = <Config extends object>(config: Config) => config;
const noPlugin = () => ({ applyToStack: () => {} });

export { noPlugin as getEventStreamPlugin, noPlugin as getWebSocketPlugin };

/** Stand for `@aws-sdk/token-providers`: keys of Bedrock and tokens of SSO, in the place of credentials. */
export const fromEnvSigningName = () => unused('bearer tokens');
export const nodeProvider = () => unused('bearer tokens');

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

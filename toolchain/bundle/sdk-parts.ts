/** Replacements for parts of the AWS SDK that no Lambda of Kinora uses (esbuild.ts). */

const unused = (part: string) => () => {
  throw new Error(`The bundles leave ${part} of the AWS SDK out: toolchain/bundle/esbuild.ts`);
};

/** Replaces `@smithy/core/event-streams`, which only streaming operations need, such as SelectObjectContent. */
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

/**
 * Replace `@aws-sdk/middleware-eventstream`, `-websocket` and `eventstream-handler-node`, which models with streamed
 * answers need.
 */
export const eventStreamPayloadHandlerProvider = () => ({});
export const resolveEventStreamConfig = <Config extends object>(config: Config) => config;
export const resolveWebSocketConfig = <Config extends object>(config: Config) => config;
const noPlugin = () => ({ applyToStack: () => {} });

export { noPlugin as getEventStreamPlugin, noPlugin as getWebSocketPlugin };

/** Replace `@aws-sdk/token-providers`, which reads Bedrock keys and SSO tokens instead of credentials. */
export const fromEnvSigningName = () => unused('bearer tokens');
export const nodeProvider = () => unused('bearer tokens');

/** Replaces `@aws-sdk/endpoint-cache`, which serves endpoint discovery. DynamoDB's clients do not use endpoint discovery. */
export class EndpointCache {
  get = unused('endpoint discovery');
  set = unused('endpoint discovery');
}

/** Replaces the code that reads ~/.aws/config, ~/.aws/credentials and the region of an EC2 instance. */
export const CONFIG_PREFIX_SEPARATOR = '.';
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });
export const getInstanceMetadataRegion = async () => undefined;

/** Replaces SHA-256 in JavaScript, which only runtimes without `node:crypto` need. */
export class Sha256Js {
  update = unused('SHA-256 in JavaScript');
  digest = unused('SHA-256 in JavaScript');
}

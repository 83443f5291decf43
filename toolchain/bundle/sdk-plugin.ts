/**
 * Leaves out the parts of the AWS SDK that no Lambda uses: a third of its bytes, which every cold start would parse. A
 * Lambda's credentials and region are always in its environment. So one small reader replaces the chain of SSO, INI,
 * process, IMDS and web identity providers, and no shared configuration file is read.
 */
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { root } from './paths.ts';

const credentials = join(root, 'platform', 'runtime', 'credentials.ts');
const standIns = join(import.meta.dirname, 'sdk-parts.ts');

/** Replacements, by the import path in the SDK. If a pattern no longer matches, the bundles grow. */
const replacements: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/^@aws-sdk\/credential-provider-node$/, credentials],
  [/^@aws-sdk\/endpoint-cache$/, standIns],
  [/^@smithy\/core\/event-streams$/, standIns],
  [/^@aws-sdk\/(middleware-eventstream|middleware-websocket|eventstream-handler-node)$/, standIns],
  [/^@aws-sdk\/token-providers$/, standIns],
  [/\/(loadSharedConfigFiles|getInstanceMetadataRegion|Sha256Js)$/, standIns],
];

export function sdkPlugin(): Plugin {
  return {
    name: 'sdk',
    setup(build) {
      for (const [filter, path] of replacements) {
        build.onResolve({ filter }, ({ importer }) =>
          /[\\/]@(aws-sdk|smithy)[\\/]/.test(importer) ? { path, sideEffects: false } : undefined,
        );
      }
    },
  };
}

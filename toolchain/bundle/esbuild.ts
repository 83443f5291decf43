/** The esbuild options and plugins for Lambda modules. Benchmarks use the same options for comparison. */
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { root } from './paths.ts';

export const lambdaModule = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
} satisfies BuildOptions;

const namespace = 'node-builtin';

/**
 * Loads Node's own modules with `process.getBuiltinModule` instead of `import`. An ES module's import of `node:http`
 * calls every getter of the module for its named exports. The getter of `WebSocket` loads undici: 28 ms of each cold
 * start, for code that no function uses. `crypto` has the same problem with its Web Crypto.
 */
export function builtinsPlugin(): Plugin {
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path, kind }) => {
        if (!isBuiltin(path) || kind === 'entry-point') return undefined;
        return { path: path.replace(/^node:/, ''), namespace, sideEffects: false };
      });
      build.onLoad({ filter: /./, namespace }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule(${JSON.stringify(`node:${path}`)});`,
        loader: 'js',
      }));
    },
  };
}

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

/**
 * Leaves out the parts of the AWS SDK that no Lambda uses: a third of its bytes, which every cold start would parse. A
 * Lambda's credentials and region are always in its environment. So one small reader replaces the chain of SSO, INI,
 * process, IMDS and web identity providers, and no shared configuration file is read.
 */
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

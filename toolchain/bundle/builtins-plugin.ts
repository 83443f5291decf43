/**
 * Loads Node's own modules with `process.getBuiltinModule` instead of `import`. An ES module's import of `node:http`
 * calls every getter of the module for its named exports. The getter of `WebSocket` loads undici: 28 ms of each cold
 * start, for code that no function uses. `crypto` has the same problem with its Web Crypto.
 */
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

const namespace = 'node-builtin';

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

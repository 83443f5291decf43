/**
 * Installs the recognizer, sherpa-onnx-node, in the folder of the models: 11 MB that only users of a model need. npm downloads one
 * fixed version and checks the integrity that is stated here.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../shared/checked-access.ts';
import { ended } from './ended.ts';
import { ModelFailure, withCure } from './failure.ts';

const PACKAGE_VERSION = '1.13.8';
export const PACKAGE_MB = 11;

/** `dist.integrity` of `npm view <package>@1.13.8`, read 2026-11-22. */
const main =
  'sha512-MsDMBdhLFTZ1GwvcGSSQhnS7g/EA8OMH6IYysCVUOM7j8Icty9KRc0E6YT1A5fWBsZwRfKOeh88QC95aRvS8ag==';
/** The integrity of the binary packages, by Node's names of platform and architecture. The names of packages have `win` instead of `win32`. */
const native: Readonly<Record<string, string>> = {
  'linux-x64':
    'sha512-6plnhjagsSeTntCgnlag86hWbs/uZE9Crms1LgOb68/1nKsIQjMd+WG519m+aPwT6TrsBOiEMzrx41t8sL5L5g==',
  'linux-arm64':
    'sha512-Tlg7a70b/Wge3OF8IgTHF9jhSVCsLyKQKhwc4BsJ5A+dL/SrFtGBjzuHp4XeLhiiOT7afCxX5PdSn/D4c8Lnuw==',
  'darwin-arm64':
    'sha512-FPNgJMgnWVl/KhRTIhG3KL3A4Om63Rn4YKXc9/uHY7SzLcvqLJLc/h7UBWJwduXvv7K18t5NpxHR6XgXn4sjWw==',
  'darwin-x64':
    'sha512-7BLRpjM6w4f9W46/nmkmq8lEKUayhebvcpslCVQ+6QN2uReYlZEMDZlSpXMjme+hUFrPfRz8P3UNq8ep/4d19g==',
  'win-x64':
    'sha512-oZF1c9VPOKtMwn83Bboc5XSWL+76BRoyB3eUuVnCknBKxwSULZU2Foia9VHWzU+n4I12rPsP6z6H9Rp1hD9o8g==',
};

/** Returns the main file of the package in `folder`. Installs it if it is missing, and calls `installing` first. */
export async function installRecognizer(folder: string, installing: () => void): Promise<string> {
  const home = join(folder, PACKAGE_VERSION);
  const file = join(home, 'node_modules', 'sherpa-onnx-node', 'sherpa-onnx.js');
  if (existsSync(file)) return file;
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const integrity = native[platform];
  if (integrity === undefined)
    throw new ModelFailure(
      `sherpa-onnx-node ${PACKAGE_VERSION} does not run on ${platform}, so models cannot be used.`,
    );
  installing();
  try {
    mkdirSync(folder, { recursive: true });
    const temporary = mkdtempSync(join(folder, '.installing-'));
    try {
      writeFileSync(join(temporary, 'package.json'), JSON.stringify({ private: true, dependencies }));
      writeFileSync(join(temporary, 'package-lock.json'), JSON.stringify(lockFile(platform, integrity)));
      await npmCi(temporary);
      // Only a complete package gets the final name. Another command may have installed it meanwhile.
      if (!existsSync(home)) renameSync(temporary, home);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  } catch (error) {
    throw withCure(error);
  }
  return file;
}

const dependencies = { 'sherpa-onnx-node': PACKAGE_VERSION };

const lockFile = (platform: string, integrity: string) => ({
  name: 'kinora-recogniser',
  lockfileVersion: 3,
  packages: {
    '': { dependencies },
    'node_modules/sherpa-onnx-node': {
      version: PACKAGE_VERSION,
      integrity: main,
      optionalDependencies: { [`sherpa-onnx-${platform}`]: PACKAGE_VERSION },
    },
    [`node_modules/sherpa-onnx-${platform}`]: { version: PACKAGE_VERSION, integrity, optional: true },
  },
});

async function npmCi(folder: string): Promise<void> {
  const cli = process.env.npm_execpath;
  const [command, ...first] = cli?.endsWith('.js') ? [process.execPath, cli] : ['npm'];
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const shell = process.platform === 'win32';
  const { code, said } = await ended(defined(command), [...first, 'ci', ...options], { cwd: folder, shell });
  if (code === 0) return;
  throw new ModelFailure(`npm could not install sherpa-onnx-node ${PACKAGE_VERSION}:\n${said}`);
}

/** What an audit lets pass, why, and until when. */
import type { Exception } from './findings.ts';

/** Platforms of sharp's binaries: one or two of them are installed on a machine. */
const libvips = [
  ...[
    'darwin-arm64',
    'darwin-x64',
    'linux-arm',
    'linux-arm64',
    'linux-ppc64',
    'linux-riscv64',
    'linux-s390x',
  ],
  ...['linux-x64', 'linuxmusl-arm64', 'linuxmusl-x64'],
].map((platform) => `@img/sharp-libvips-${platform}`);
const sharp = ['wasm32', 'win32-arm64', 'win32-ia32', 'win32-x64'].map(
  (platform) => `@img/sharp-${platform}`,
);

export const exceptions: readonly Exception[] = [
  ...[...libvips, ...sharp].map((name) => ({
    package: name,
    of: 'licence',
    reason:
      'libvips is LGPL-3.0-or-later: a shared library as its makers built it, which anybody may exchange; it is on laptops, and in no bundle or image',
    expires: '2027-11-22',
  })),
  {
    package: 'reserved',
    of: 'licence',
    reason: 'It is MIT, named under `licenses` as packages did before 2014; its LICENSE-MIT says so too',
    expires: '2027-11-22',
  },
  {
    package: 'uri-templates',
    of: 'licence',
    reason:
      'It is in the public domain, as its README says; the address that it names leads to that, and it lints the OpenAPI document only',
    expires: '2027-11-22',
  },
];

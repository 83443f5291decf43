/** A software bill of materials in CycloneDX 1.6 (ECMA-424): https://cyclonedx.org/docs/1.6/json/ */
import { hash } from 'node:crypto';
import { idOf, type LockedPackage } from './packages.ts';

/** Without a time: the same lock file makes the same document. */
export function billOfMaterials(
  packages: readonly LockedPackage[],
  product: { name: string; version: string },
) {
  const components = packages.map(componentOf);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([product, components]))}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': idOf(product),
        ...product,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components,
  };
}

function componentOf(locked: LockedPackage) {
  const { name, version, licence, integrity, isForDevelopment } = locked;
  const [scope, own] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: 'library',
    'bom-ref': idOf(locked),
    ...(scope && { group: scope }),
    name: own,
    version,
    scope: isForDevelopment ? 'excluded' : 'required',
    ...(integrity && { hashes: [hashOf(integrity)] }),
    ...(licence && { licenses: [licenceOf(licence)] }),
    purl: purlOf(name, version),
  };
}

const algorithms: Readonly<Record<string, string>> = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' };

function hashOf(integrity: string) {
  const [, algorithm, value] = /^(sha\d+)-([\w+/=]+)/.exec(integrity) ?? [];
  return { alg: algorithms[algorithm!], content: Buffer.from(value!, 'base64').toString('hex') };
}

/** An id, an expression, or a name that is neither. */
function licenceOf(licence: string) {
  if (/ (AND|OR) /.test(licence)) return { expression: licence };
  return { license: /^[\w.+-]+$/.test(licence) ? { id: licence } : { name: licence } };
}

/** https://github.com/package-url/purl-spec: the `@` of a scope is escaped. */
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** RFC 9562 §5.8: version 8, whose other bits are ours. */
function uuidOf(text: string): string {
  const hex = hash('sha256', text);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

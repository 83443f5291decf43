/** Recognizes public internet addresses (RFC 6890). Requests to addresses of tenants must not reach our private networks. */
import { BlockList, isIP } from 'node:net';
import { defined } from './checked-access.ts';

const special =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3';

/** Public IPv6 addresses. `specialUnicast` has the exceptions: documentation, Teredo, 6to4 and similar ranges. */
const globalUnicast = '2000::/3';
const specialUnicast = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const blocked = new BlockList();
const allowed = new BlockList();
addNetworks(blocked, special, 'ipv4');
addNetworks(blocked, specialUnicast, 'ipv6');
addNetworks(allowed, globalUnicast, 'ipv6');

function addNetworks(list: BlockList, networks: string, version: 'ipv4' | 'ipv6'): void {
  for (const [, network, prefix] of networks.matchAll(/(\S+)\/(\d+)/g))
    list.addSubnet(defined(network), Number(prefix), version);
}

export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !blocked.check(address, 'ipv4');
  return version === 6 && allowed.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
}

/** Returns the reason why requests to the URL are not allowed; null if they are. Does not resolve host names. */
export function addressFault(text: string, schemes: readonly string[] = ['https']): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  // Parsed again as a web URL, because URLs with other schemes keep `0177.0.0.1` and `%31` unchanged.
  const asWeb = url && `https://${url.host}/`;
  if (url === null || !URL.canParse(defined(asWeb))) return 'It is not an absolute address.';
  if (!schemes.includes(url.protocol.slice(0, -1)))
    return `It must begin with ${schemes.join(':// or ')}://.`;
  if (url.username !== '' || url.password !== '') return 'It must not carry a name or password.';
  const host = bareHost(new URL(defined(asWeb)));
  const isLocal =
    isIP(host) === 0 ? /(^|\.)(localhost|local|internal)$|^[^.]+$/.test(host) : !isPublicAddress(host);
  return isLocal ? 'Its host cannot be reached from the public internet.' : null;
}

/** The host of an address. URLs have IPv6 in brackets, and names may end in a dot. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

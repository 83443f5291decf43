import { describe, expect, it } from 'vitest';
import { addressFault, isPublicAddress } from '../../shared/public-addresses.ts';

describe('a public IP address', () => {
  it.each(['1.1.1.1', '93.184.215.14', '100.63.0.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
    'can be %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ['this machine', '127.0.0.1'],
    ['this machine', '127.9.9.9'],
    ['this machine', '::1'],
    ['any of its interfaces', '0.0.0.0'],
    ['any of its interfaces', '::'],
    ['private, RFC 1918', '10.1.2.3'],
    ['private, RFC 1918', '172.16.0.1'],
    ['private, RFC 1918', '192.168.1.1'],
    ['shared by carriers, RFC 6598', '100.64.0.1'],
    ["link-local, where clouds answer their machines' questions", '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['unique local, RFC 4193', 'fd00:ec2::254'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['reserved', '255.255.255.255'],
    ['documentation', '2001:db8::1'],
    ['IPv4 inside of IPv6', '::ffff:127.0.0.1'],
    ['IPv4 inside of IPv6', '::ffff:1.1.1.1'],
    ['IPv4 behind NAT64', '64:ff9b::7f00:1'],
    ['IPv4 behind 6to4', '2002:7f00:1::1'],
    ['no address', 'example.com'],
    ['no address', ''],
  ])('cannot be %s: %s', (_, address) => expect(isPublicAddress(address)).toBe(false));
});

describe('a URL for outgoing requests', () => {
  it.each([
    'https://example.com/hook',
    'https://example.com:8443/?a=b',
    'https://1.1.1.1/',
    'https://xn--bcher-kva.example/',
  ])('can be %s', (url) => expect(addressFault(url)).toBeNull());

  it.each([
    ['http://example.com/', 'https'],
    ['ftp://example.com/', 'https'],
    ['/hook', 'absolute'],
    ['https://user:secret@example.com/', 'password'],
    ['https://localhost/', 'public'],
    ['https://LOCALHOST./', 'public'],
    ['https://api.localhost/', 'public'],
    ['https://printer.local/', 'public'],
    ['https://metadata.google.internal/', 'public'],
    ['https://intranet/', 'public'],
    ['https://127.0.0.1/', 'public'],
    ['https://2130706433/', 'public'],
    ['https://0x7f.1/', 'public'],
    ['https://[::1]/', 'public'],
    ['https://[::ffff:10.0.0.1]/', 'public'],
  ])('cannot be %s', (url, why) => expect(addressFault(url)).toContain(why));

  it.each([
    ['rtmp://live.example.com/app', null],
    ['srt://[2606:4700::1111]:9000', null],
    ['rtmp://0177.0.0.1/app', 'public'],
    ['rtmp://127.1/app', 'public'],
    ['srt://%31%30.0.0.1:9000', 'public'],
    ['srt://[::1]:9000', 'public'],
    ['srt://studio:9000', 'public'],
    ['https://example.com/', 'rtmp:// or srt://'],
  ])('has the same rules for other schemes: %s', (url, why) => {
    const fault = addressFault(url, ['rtmp', 'srt']);
    if (why === null) expect(fault).toBeNull();
    else expect(fault).toContain(why);
  });
});

/** Makes valid and invalid `.tar.bz2` archives, without a program that would refuse invalid ones. */
import { execFileSync } from 'node:child_process';

export type Member = {
  name: string;
  content?: Buffer | string;
  /** POSIX's type flags: '0' a file, '5' a folder, '1' and '2' links, '3' a device, 'L' and 'x' extended headers. */
  type?: string;
  linksTo?: string;
  /** The length in the header, if it differs from the length of the content. */
  size?: number;
};

/** POSIX.1-2017, pax, "ustar Interchange Format". */
export function tar(members: readonly Member[]): Buffer {
  return Buffer.concat([...members.map(memberOf), Buffer.alloc(1024)]);
}

export const bzip2 = (data: Buffer): Buffer =>
  execFileSync('bzip2', ['-c'], { input: data, maxBuffer: 1 << 28 });

export const archiveOf = (members: readonly Member[]): Buffer => bzip2(tar(members));

function memberOf({ name, content = '', type = '0', linksTo = '', size }: Member): Buffer {
  const data = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${(size ?? data.length).toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(linksTo, 157, 100);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

import { expect, it } from 'vitest';
import { surfaceOf } from '../../toolchain/openapi/api-surface.ts';
import { openApiDocument } from '../../toolchain/openapi/document.ts';
import { readRelease } from '../../toolchain/release.ts';

it('the API keeps every operation, parameter, member and value of the last release, with its type', () => {
  const { api } = readRelease();
  const now = new Set(surfaceOf(openApiDocument()));
  expect(api.length).toBeGreaterThan(1000);
  const membersOf = (name: string) =>
    api.filter((line) => /^[.:[]/.test(line.slice(name.length)) && line.startsWith(name));
  /** A request may have another schema, if that takes all members of the released one. */
  const isWidened = (line: string) => {
    const [, at, name = ''] = /^(.* body): (\w+)$/.exec(line) ?? [];
    if (at === undefined) return false;
    const others = [...now].filter((one) => one.startsWith(`${at}: `)).map((one) => one.slice(at.length + 2));
    return others.some((other) =>
      membersOf(name).every((member) => now.has(`${other}${member.slice(name.length)}`)),
    );
  };
  expect(api.filter((line) => !now.has(line) && !isWidened(line))).toEqual([]);
});

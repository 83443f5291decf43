/** What is left of an environment, as lines for people. */
import type { Remains } from './remains.ts';

export function reportOf(remains: Remains, environment: string): string[] {
  const { stacks, tables, functions, logGroups, tagged, expiringKeys } = remains;
  const kinds: readonly (readonly [name: string, found: readonly string[], cure: string])[] = [
    [
      'stacks',
      stacks,
      `npm run destroy -- ${environment} again; the console shows under Events what holds a stack.`,
    ],
    ['tables', tables, 'Console, DynamoDB: switch their deletion protection off and delete them.'],
    ['functions', functions, 'Console, Lambda: delete them.'],
    ['log groups', logGroups.map(({ name }) => name), `npm run destroy -- ${environment} again.`],
    [
      'resources with its tags',
      tagged.map(({ arn }) => arn),
      'AWS may list what is gone for some hours: ask again with the same command; what stays is deleted in the console by its ARN.',
    ],
  ];
  const lines = kinds.flatMap(([name, found, cure]) =>
    found.length === 0
      ? [`✓ No ${name}`]
      : [`✗ ${found.length} ${name}:`, ...found.map((one) => `    ${one}`), `  → ${cure}`],
  );
  const keys = expiringKeys.map(({ arn, until }) => {
    const when = until === undefined ? '' : ` on ${until.toISOString().slice(0, 10)}`;
    return `  ${arn.split('/').at(-1)}: KMS deletes this key${when}; it can do nothing and costs nothing until then`;
  });
  return [...lines, ...keys];
}

/** Writes the output of `npm run cost`: tables with totals, the date of the prices, and the pages of the prices. */

import { defined, itemAt } from '../../shared/checked-access.ts';
import type { CostLine, Workload } from './estimate.ts';
import type { IdleLine } from './idle.ts';
import { awsPrices, PRICES_AS_OF } from './price-list.ts';

export const headline = `List prices of US East (N. Virginia), as of ${PRICES_AS_OF}; tiers and free tiers left out. AWS's pages decide.`;

export const idleReport = (lines: readonly IdleLine[]): string[] => [
  ...table([
    ...lines.map(({ what, count, usd }) => [what, Math.round(count).toLocaleString('en'), dollars(usd)]),
    ['a month, without use', '', dollars(sumOf(lines))],
  ]),
  ...sourcesOf(Object.values(awsPrices)),
];

export const workReport = (work: Workload, lines: readonly CostLine[]): string[] => [
  `${work.hours} hours of video, translated into ${work.languages}, spoken in ${work.spoken}${work.pictures ? '' : ', without pictures'}`,
  ...table([
    ...lines.map(({ what, by, quantity, usd }) => [
      `${what} (${by})`,
      quantity,
      usd === null ? 'unknown' : dollars(usd),
    ]),
    ['a month', '', dollars(sumOf(lines))],
  ]),
  ...sourcesOf(lines),
];

const sumOf = (lines: readonly { readonly usd: number | null }[]): number =>
  lines.reduce((sum, { usd }) => sum + (usd ?? 0), 0);

const sourcesOf = (prices: readonly { readonly source: string | null }[]): string[] => {
  const pages = [...new Set(prices.flatMap(({ source }) => source ?? []))].sort();
  return pages.length === 0 ? [] : [`  Prices: ${pages.join(' ')}`];
};

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => itemAt(row, column).length)));
  return rows.map(
    ([what, count, usd]) =>
      `  ${defined(what).padEnd(itemAt(widths, 0))}  ${defined(count).padStart(itemAt(widths, 1))}  ${defined(usd).padStart(itemAt(widths, 2))}`,
  );
}

const dollars = (usd: number): string =>
  `${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} USD`;

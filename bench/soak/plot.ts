/** The course of a soak as an SVG that a browser shows: a panel a quantity, time to the right. */
import type { Point } from './trend.ts';

export interface Panel {
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly points: readonly Point[] }[];
}

const WIDTH = 1200;
const PANEL = 200;
const MARGIN = { left: 70, top: 34, bottom: 26, right: 170 };
const colours = ['#1f77b4', '#d62728', '#2ca02c', '#9467bd', '#ff7f0e', '#444'];
const MINUTE_MS = 60_000;

export function plotOf(title: string, panels: readonly Panel[]): string {
  const times = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ at }) => at)));
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const height = 40 + panels.length * PANEL;
  const drawn = panels.map((panel, at) => panelOf(panel, 40 + at * PANEL, from, to));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="16" y="24" font-size="16">${title}</text>
${drawn.join('\n')}
</svg>
`;
}

function panelOf({ title, lines }: Panel, top: number, from: number, to: number): string {
  const across = WIDTH - MARGIN.left - MARGIN.right;
  const down = PANEL - MARGIN.top - MARGIN.bottom;
  const most = Math.max(1, ...lines.flatMap(({ points }) => points.map(({ value }) => value))) * 1.05;
  const x = (at: number) => (MARGIN.left + ((at - from) / Math.max(1, to - from)) * across).toFixed(1);
  const y = (value: number) => (top + MARGIN.top + (1 - value / most) * down).toFixed(1);
  const levels = [0, 0.5, 1].map((share) => {
    const value = most * share;
    return `<line x1="${MARGIN.left}" x2="${MARGIN.left + across}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/>
<text x="${MARGIN.left - 6}" y="${y(value)}" dy="4" text-anchor="end">${value >= 10 ? Math.round(value) : value.toFixed(1)}</text>`;
  });
  const minutes = Math.floor((to - from) / MINUTE_MS);
  const step = Math.max(1, Math.ceil(minutes / 12));
  const marks = Array.from({ length: Math.floor(minutes / step) + 1 }, (_, nth) => nth * step).map(
    (minute) =>
      `<text x="${x(from + minute * MINUTE_MS)}" y="${top + PANEL - 8}" text-anchor="middle">${minute} min</text>`,
  );
  const drawn = lines.map(({ name, points }, nth) => {
    const colour = colours[nth % colours.length];
    const path = points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>
<text x="${MARGIN.left + across + 10}" y="${top + MARGIN.top + 12 + nth * 16}" fill="${colour}">${name}</text>`;
  });
  return [
    `<text x="${MARGIN.left}" y="${top + 22}" font-weight="bold">${title}</text>`,
    ...levels,
    ...marks,
    ...drawn,
  ].join('\n');
}

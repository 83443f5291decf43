import { describe, expect, it } from 'vitest';
import { fairOrder } from '../../../platform/jobs/fair-order.ts';

const jobs = (text: string) => (text === '' ? [] : text.split(' ')).map((id) => ({ tenant: id[0]!, id }));
const orderOf = (running: string, waiting: string, ended = '') =>
  fairOrder(jobs(running), jobs(waiting), jobs(ended))
    .map(({ id }) => id)
    .join(' ');

describe('jobs that wait', () => {
  it('go by age where all are of one tenant', () => {
    expect(orderOf('a0', 'a1 a2 a3')).toBe('a1 a2 a3');
  });

  it('have tenants take turns, so that one job is not held up by a hundred of somebody else', () => {
    expect(orderOf('', 'a1 a2 a3 b1 b2')).toBe('a1 b1 a2 b2 a3');
  });

  it('go behind those of others where their tenant had the last turn', () => {
    expect(orderOf('', 'a1 a2 b1', 'a0')).toBe('b1 a1 a2');
    expect(orderOf('b0', 'a1 a2 b1', 'a0')).toBe('a1 b1 a2');
  });

  it('begin with those of whoever has least under way, then with the oldest', () => {
    expect(orderOf('a0 a9', 'a1 b1 c1 b2')).toBe('b1 c1 b2 a1');
  });
});

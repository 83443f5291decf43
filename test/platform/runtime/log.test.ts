import { afterEach, describe, expect, it, vi } from 'vitest';

process.env.ENVIRONMENT = 'dev';
const { log, logWithMetrics } = await import('../../../platform/runtime/log.ts');

afterEach(() => {
  delete process.env._X_AMZN_TRACE_ID;
});

function written(write: () => void, header?: string): Record<string, unknown>[] {
  if (header !== undefined) process.env._X_AMZN_TRACE_ID = header;
  const lines: string[] = [];
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  write();
  out.mockRestore();
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('every log line', () => {
  const both = () => {
    log('info', 'a line');
    logWithMetrics('another', [{ name: 'Steps', unit: 'Count', value: 1 }]);
  };

  // X-Ray Developer Guide, "Tracing header".
  it.each([
    'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1',
    'Self=1-67891234-12456789abcdef012345678;Root=1-5759e988-bd862e3fe1be46a994272793',
  ])('has the trace id of its run: %s', (header) => {
    const ids = written(both, header).map(({ trace_id }) => trace_id);
    expect(ids).toEqual(Array(2).fill('1-5759e988-bd862e3fe1be46a994272793'));
  });

  it("has no trace id without tracing, for example on a developer's computer", () => {
    for (const line of written(both)) expect(line).not.toHaveProperty('trace_id');
  });
});

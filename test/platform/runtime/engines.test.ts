import { afterEach, describe, expect, it, vi } from 'vitest';
import { transcription } from '../../../engines/registry.ts';
import { availability, engineFor } from '../../../platform/runtime/engines.ts';

afterEach(() => vi.unstubAllEnvs());

const context = { workDir: '/tmp', readObject: async () => '', writeObject: async () => {} };

describe('the engines of an environment', () => {
  it('are available if the settings say so', () => {
    vi.stubEnv('ENGINES', 'local');
    expect(availability('transcription', { language: 'en' })).toEqual({ status: 'available' });
    expect(availability('transcription', { language: 'es' }).status).toBe('unavailable');
    vi.stubEnv('ENGINES', 'aws');
    expect(availability('transcription', { language: 'es' })).toEqual({ status: 'available' });
  });

  it('are created with their own settings', async () => {
    vi.stubEnv('ENGINES', 'local');
    vi.stubEnv('SHERPA_MODEL_DIR', '/nowhere');
    await expect(engineFor('transcription', transcription, context)).rejects.toMatchObject({
      code: 'engine_unavailable',
      detail: expect.stringContaining('SHERPA_MODEL_DIR'),
    });
  });

  it('throw engine_unavailable with the reason if no engine is available', () => {
    vi.stubEnv('ENGINE_TRANSCRIPTION', 'whisper');
    expect(() => engineFor('transcription', transcription, context)).toThrow(
      expect.objectContaining({ code: 'engine_unavailable', detail: expect.stringContaining('"whisper"') }),
    );
  });
});

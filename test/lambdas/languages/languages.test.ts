import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HttpEvent, HttpReply } from '../../../platform/kernel/http.ts';
import { type LambdaEnvironment, lambdaEnvironment } from '../../support/environment.ts';
import { httpEvent } from '../../support/http-event.ts';

let environment: LambdaEnvironment;
let authorization: string;

beforeAll(async () => {
  environment = await lambdaEnvironment();
  authorization = `Bearer ${(await environment.newKey('acme')).text}`;
});
afterAll(() => environment.close());
afterEach(() => vi.unstubAllEnvs());

interface Shown {
  readonly code: string;
  readonly language_id: string;
  readonly features: readonly string[];
}

async function listed(variables: Record<string, string>) {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.resetModules();
  const { handler } = await import('../../../lambdas/languages/api/languages.ts');
  const call = handler as unknown as (event: HttpEvent, context: object) => Promise<HttpReply>;
  const page = async (number: number) => {
    const query = { items: '100', page: String(number) };
    return call(httpEvent({ route: 'GET /v1/languages', headers: { authorization }, query }), {});
  };
  const [reply, second] = [await page(1), await page(2)];
  const data = [reply, second].flatMap(({ body }) => (JSON.parse(body) as { data: Shown[] }).data);
  const features = Object.fromEntries(data.map((language) => [language.code, language.features]));
  return { features, etag: reply.headers!.ETag };
}

describe('GET /v1/languages', () => {
  it("lists the features that the environment's engines declare", async () => {
    const local = await listed({ ENGINES: 'local' });
    expect(local.features).toMatchObject({
      en: ['transcription', 'translation', 'voice_over'],
      es: ['translation', 'voice_over'],
      de: ['voice_over'],
      ja: [],
    });
    const aws = await listed({ ENGINES: 'aws' });
    expect(aws.features).toMatchObject({
      en: ['transcription', 'translation', 'voice_over'],
      'pt-BR': ['transcription', 'translation', 'voice_over'],
      'zh-TW': ['transcription', 'translation', 'voice_over'],
      ur: ['translation'],
    });
    expect(aws.etag).not.toBe(local.etag);
  });

  it('accepts every language with a custom model, because only the model defines its languages', async () => {
    const { features } = await listed({ ENGINES: 'local', SHERPA_MODEL_DIR: '/model' });
    expect(features).toMatchObject({ de: ['transcription', 'voice_over'], th: ['transcription'] });
  });
});

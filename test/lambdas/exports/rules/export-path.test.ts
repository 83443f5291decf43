import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forms } from '../../../../contract/kit/forms.ts';
import { type ExportFormat, exportFormats } from '../../../../contract/kit/storage-types.ts';
import { type Exported, exportPath } from '../../../../lambdas/exports/rules/export-path.ts';
import { forAny } from '../../../support/for-any.ts';

const asset_id = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';
const metadata_id = '019a9d2e-62cc-7b13-8a2d-1d5e3b8f9c21';
const video_clip_id = '019a9d30-1a2b-7c3d-8e4f-5a6b7c8d9e01';

const vtt: Exported = { asset_id, external_id: 'EP 7', format: 'vtt', language: 'pt-BR' };
const stl: Exported = { ...vtt, format: 'stl' };
const json: Exported = { ...vtt, format: 'json' };
const metadata: Exported = { asset_id, external_id: 'EP 7', format: 'metadata', metadata_id };
const clip: Exported = { asset_id, external_id: 'EP 7', format: 'clip', video_clip_id };

describe('the path of an export', () => {
  it.each<[string | null, Exported, string]>([
    [null, vtt, `kinora/${asset_id}/pt-BR.vtt`],
    [null, metadata, `kinora/${asset_id}/${metadata_id}.metadata.json`],
    [null, clip, `kinora/${asset_id}/${video_clip_id}.mp4`],
    ['{asset_external_id}/{language}.{format}', stl, 'EP 7/pt-BR.stl'],
    ['{asset_external_id}/{language}/', json, 'EP 7/pt-BR/file.json'],
    // The specification's own variables tell clips apart, and not subtitles.
    ['kinora/{asset_id}/{video_clip_id}', clip, `kinora/${asset_id}/${video_clip_id}.mp4`],
    ['kinora/{asset_id}/{video_clip_id}', vtt, `kinora/${asset_id}/pt-BR.vtt`],
    ['{asset_external_id}-{video_clip_id}.{format}', vtt, 'EP 7.pt-BR.vtt'],
    ['{video_clip_id}_{asset_external_id}', vtt, 'EP 7.pt-BR.vtt'],
    ['subtitles', vtt, `subtitles.${asset_id}.pt-BR.vtt`],
    ['{asset_external_id}.vtt', vtt, 'EP 7.pt-BR.vtt'],
    ['{asset_external_id}.vtt', stl, 'EP 7.vtt.pt-BR.stl'],
    ['{format}/{asset_external_id}', vtt, 'vtt/EP 7.pt-BR.vtt'],
    ['a//b/', vtt, `a/b/${asset_id}.pt-BR.vtt`],
    ['{asset_external_id}/', { ...vtt, external_id: null }, `${asset_id}/pt-BR.vtt`],
    // External ids with and without a file extension have different paths.
    ['c/{asset_external_id}', { ...vtt, external_id: 'talk' }, 'c/talk.pt-BR.vtt'],
    ['c/{asset_external_id}', { ...vtt, external_id: 'talk.vtt' }, 'c/talk.vtt.pt-BR.vtt'],
  ])('is correct for the template %s and adds missing parts: case %#', (template, exported, path) => {
    expect(exportPath(template, exported)).toBe(path);
  });

  it.each([
    ['a/../b', 'a%2F..%2Fb'],
    ['..', '%2E%2E'],
    ['x\u0000\n\u202ey', 'x%00%0A%E2%80%AEy'],
    ['C:\\x', 'C:%5Cx'],
    ['50%2F', '50%252F'],
    ['100 %', '100 %'],
    ['é', 'é'],
    ['\ud800', '�'],
    ['name.', 'name%2E'],
  ])('contains the external id %j as %j', (external_id, name) => {
    expect(exportPath('{asset_external_id}/{language}', { ...vtt, external_id })).toBe(`${name}/pt-BR.vtt`);
  });
});

const template = fc
  .array(
    fc.oneof(
      fc.constantFrom('{asset_id}', '{asset_external_id}', '{video_clip_id}', '{language}', '{format}'),
      fc.constantFrom('a', '.', '-', '_', '/', '.vtt', 'ü', ' ', '%'),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => new RegExp(forms.exportPath.pattern, 'u').test(text));

const uuid = fc.uuid({ version: 7 });
const kinds = Object.keys(exportFormats) as ExportFormat[];
const exported: fc.Arbitrary<Exported> = fc
  .record({
    asset_id: uuid,
    format: fc.constantFrom(...kinds),
    language: fc.constantFrom('en', 'es', 'pt', 'pt-BR'),
    id: uuid,
  })
  .map(({ asset_id, format, language, id }) => ({
    asset_id,
    external_id: `${asset_id.slice(-6)}/x`,
    format,
    ...(format === 'clip'
      ? { video_clip_id: id }
      : format === 'metadata'
        ? { metadata_id: id }
        : { language }),
  }));

describe('the paths of any template', () => {
  it('differ for different files', () => {
    forAny([template, exported, exported], (pattern, one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(exportPath(pattern, one) === exportPath(pattern, other)).toBe(isSame);
    });
  });

  it('differ by language and format for one asset', () => {
    forAny([template, exported], (pattern, { asset_id, external_id }) => {
      const all = ['en', 'es', 'pt-BR'].flatMap((language) =>
        (['vtt', 'srt', 'stl', 'json'] as const).map((format) =>
          exportPath(pattern, { asset_id, external_id, language, format }),
        ),
      );
      const more = exportPath(pattern, { asset_id, external_id, format: 'metadata', metadata_id });
      expect(new Set([...all, more]).size).toBe(13);
    });
  });

  it('have no empty segment, no `.` or `..`, no control character, and the extension of the format', () => {
    fc.assert(
      fc.property(
        template,
        exported,
        fc.string({ unit: 'binary', minLength: 1 }),
        (pattern, one, external_id) => {
          const path = exportPath(pattern, { ...one, external_id });
          expect(path.split('/').every((segment) => segment !== '' && !/^\.+$/.test(segment))).toBe(true);
          expect(path).toMatch(/^\P{Cc}+$/u);
          expect(path.endsWith(`.${exportFormats[one.format].ending}`)).toBe(true);
          expect(path.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});

/** Makes the storyboard and the poster of a video from stored pictures. */
import { tileSheets } from '../../../media/pictures/tile-sheets.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { derivedKey } from '../../../platform/objects/media-objects.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import type { AnalyzedPicture, SpanFindings, StoredBytes } from '../rules/span-findings.ts';
import { posterOf, SHEET_SIDE, tileSize, tilesOf } from '../rules/storyboard.ts';
import type { IngestServices } from './ingest-step.ts';
import { spanFiles } from './span-files.ts';

interface Services extends Pick<IngestServices, 'tenant' | 'objects' | 'results'> {
  readonly signal: AbortSignal;
}

interface KeptPicture extends AnalyzedPicture {
  readonly span: number;
  readonly jpeg: StoredBytes;
}

/** Time limit of ffmpeg. Three sheets take about a second. */
const TIMEOUT_MS = 120_000;

export async function makeStoryboard(
  input: AssetJobInput,
  spans: readonly SpanFindings[],
  duration_ms: number,
  { tenant, objects, results, signal }: Services,
): Promise<void> {
  const { asset_id, job_id } = input;
  const pictures = spans.flatMap(({ pictures }, span) =>
    pictures.flatMap((picture): KeptPicture[] =>
      picture.jpeg === null ? [] : [{ ...picture, span, jpeg: picture.jpeg }],
    ),
  );
  const poster = posterOf(pictures, duration_ms);
  if (poster === null) return;
  const files = spanFiles(input, { tenant, objects });
  const read = ({ span, jpeg }: KeptPicture) => files.jpeg(span, jpeg);
  const key = (name: string) => derivedKey(tenant, asset_id, { step: 'storyboard', version: job_id, name });
  const size = tileSize(poster);
  const given = (async function* () {
    for (const picture of pictures) yield await read(picture);
  })();
  const grid = { ...size, columns: SHEET_SIDE, rows: SHEET_SIDE };
  const sheets = await tileSheets(mediaTools, given, grid, { timeout_ms: TIMEOUT_MS, signal });
  for (const [at, sheet] of sheets.entries()) await objects.write(key(`${at}.jpg`), sheet, 'image/jpeg');
  await objects.write(key('poster.jpg'), await read(poster), 'image/jpeg');
  const { at_ms, width, height } = poster;
  await results.writeList(asset_id, 'posters', job_id, [{ key: key('poster.jpg'), at_ms, width, height }]);
  const tiles = tilesOf(
    pictures.map((picture) => picture.at_ms),
    duration_ms,
    size,
  ).map(({ sheet, ...tile }) => ({ ...tile, key: key(`${sheet}.jpg`) }));
  await results.writeList(asset_id, 'storyboard', job_id, tiles);
}

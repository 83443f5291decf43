/** Translates the demo's transcript into Spanish, or a Spanish transcript into English. */
import { jobEnd, type Kinora, ProblemError, type TranslationJob } from '../../client/index.ts';

/**
 * Translates the asset and waits for it.
 * @param spoken code of the spoken language
 * @param seen called with each state of the job
 * @returns null, or why the translation failed
 */
export async function translate(
  kinora: Kinora,
  asset_id: string,
  spoken: string,
  seen: (job: TranslationJob) => void,
): Promise<string | null> {
  const target = spoken.startsWith('es') ? 'en' : 'es';
  const languages = await kinora.listLanguages({ items: 100 });
  const language = languages.data.find(({ code }) => code === target)!;
  try {
    const { job_id } = await kinora.createTranslationJob({
      asset_id,
      body: { language_ids: [language.language_id] },
    });
    const job = await jobEnd(() => kinora.getTranslationJob({ asset_id, job_id }), seen, 300);
    const error = job.items.find((item) => item.error !== null)?.error ?? job.error;
    return error === null ? null : `${error.title}: ${error.detail}`;
  } catch (error) {
    if (error instanceof ProblemError) return error.message;
    throw error;
  }
}

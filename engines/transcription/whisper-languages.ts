/** The languages of Whisper, and how it calls them. It ends the process when it is asked for another. */

/**
 * `LANGUAGES` of https://github.com/openai/whisper/blob/main/whisper/tokenizer.py, without Cantonese, which only its third
 * large version knows.
 */
const codes = (
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy ' +
  'sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo ' +
  'uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su'
).split(' ');

/** Its names that differ from BCP 47, by the tag. */
const others: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl', jv: 'jw' };

/** Primary subtags. */
export const whisperLanguages: readonly string[] = [...codes, ...Object.keys(others)];

/** What Whisper calls the language of a primary subtag. */
export const whisperCode = (subtag: string): string => others[subtag] ?? subtag;

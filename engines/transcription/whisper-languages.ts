/** The languages of Whisper, and Whisper's codes for them. Whisper ends the process if it gets another code. */

/** `LANGUAGES` of whisper/tokenizer.py in openai/whisper, without Cantonese, which only large-v3 supports. */
const codes = (
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg ' +
  'lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so ' +
  'af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su'
).split(' ');

/** Whisper's codes that differ from BCP 47, by tag. */
const others: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl', jv: 'jw' };

export const whisperLanguages: readonly string[] = [...codes, ...Object.keys(others)];

export const whisperCode = (subtag: string): string => others[subtag] ?? subtag;

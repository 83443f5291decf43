/** Amazon Translate: translates texts of up to 10,000 bytes between all its languages. `ENGINE_TRANSLATION=amazon-translate` */
import { TranslateClient, TranslateTextCommand } from '@aws-sdk/client-translate';
import { engineUnavailable, languageUnsupported, providerUnavailable } from '../../shared/job-errors.ts';
import { holdingBack, patience, requestsTo } from '../aws/requests.ts';
import { primarySubtag } from '../engine.ts';
import { type TranslationEngine, type TranslationRequest, translationEngine } from './port.ts';
import { translateInBatches } from './translate-in-batches.ts';

/** Amazon Translate Developer Guide, "Supported languages and language codes". */
const languages = (
  'af am ar az bg bn bs ca cs cy da de el en es es-MX et fa fa-AF fi fr fr-CA ga gu ha he hi hr ht hu hy id is it ja ka kk ' +
  'kn ko lt lv mk ml mn mr ms mt nl no pa pl ps pt pt-PT ro ru si sk sl so sq sr sv sw ta te th tl tr uk ur uz vi zh zh-TW'
).split(' ');

export const amazonTranslate = translationEngine({
  name: 'amazon-translate',
  runs: ['aws'],
  price: { per: 'million_characters', usd: 15, source: 'https://aws.amazon.com/translate/pricing/' },
  languages,
  settings: {
    TRANSLATE_TERMINOLOGY: {
      description:
        'Name of a custom terminology in the AWS account, which contains translations of your terms',
      default: '',
    },
  },
  quotas: { translate: 'translatePerSecond' },
  permissions: {
    translate: [
      {
        actions: ['translate:TranslateText'],
        resources: ['*'],
        why: 'TranslateText has no resources except terminologies, which are optional.',
      },
    ],
  },
  make: ({ settings }) =>
    translateTexts(
      new TranslateClient({ ...holdingBack(), requestHandler: patience(ANSWER_MS) }),
      settings.TRANSLATE_TERMINOLOGY,
    ),
});

const ANSWER_MS = 30_000;

/** Slightly below the quota "Maximum text size" of TranslateText. */
const MAX_BYTES = 9800;
/** Amazon Translate translates each line separately, and keeps the line breaks. */
const SEPARATOR = '\n';

/** @param terminology the name of a terminology, or an empty string */
export function translateTexts(
  client: Pick<TranslateClient, 'send'>,
  terminology: string,
): TranslationEngine {
  return {
    async translate(sentences, request) {
      const { signal, onProgress } = request;
      signal?.throwIfAborted();
      const codes = {
        SourceLanguageCode: codeOf(request, 'source'),
        TargetLanguageCode: codeOf(request, 'target'),
      };
      const terms = terminology === '' ? {} : { TerminologyNames: [terminology] };
      const batching = { max_bytes: MAX_BYTES, separator: SEPARATOR, signal, onProgress };
      return translateInBatches(sentences, batching, async (Text) => {
        const command = new TranslateTextCommand({ Text, ...codes, ...terms });
        const { TranslatedText } = await askTranslate<{ TranslatedText: string | undefined }>(
          (options) => client.send(command, options),
          {
            signal,
            onError(error) {
              if (error.name === 'UnsupportedLanguagePairException') throw unsupported(request);
              // API_TranslateText: "The resource you are looking for has not been found". The only resource is the terminology.
              if (error.name === 'ResourceNotFoundException') throw missingTerminology(error);
              // An empty answer makes `translateInBatches` translate each half of the batch again.
              const isTooLong = error.name === 'TextSizeLimitExceededException' && Text.includes(SEPARATOR);
              return isTooLong ? { answer: { TranslatedText: '' } } : undefined;
            },
          },
        );
        // Throws, so that no sentence without a translation is stored as translated.
        if (TranslatedText === undefined) throw providerUnavailable('Amazon Translate returned no text.');
        return TranslatedText;
      });
    },
  };
}

const askTranslate = requestsTo('Amazon Translate', 'a text');

/** Codes that differ from the tag. In Amazon Translate, "pt" is Brazilian Portuguese and "zh" is simplified Chinese (source: as above). */
const codesByTag: Readonly<Record<string, string>> = {
  'pt-br': 'pt',
  pt: 'pt-PT',
  'zh-hant': 'zh-TW',
  fil: 'tl',
  nb: 'no',
  nn: 'no',
};

function codeOf(request: TranslationRequest, side: 'source' | 'target'): string {
  const tag = request[side];
  const own =
    codesByTag[tag.toLowerCase()] ?? languages.find((code) => code.toLowerCase() === tag.toLowerCase());
  const found =
    own ?? languages.find((code) => code === (codesByTag[primarySubtag(tag)] ?? primarySubtag(tag)));
  if (found === undefined) throw unsupported(request);
  return found;
}

const unsupported = ({ source, target }: TranslationRequest) =>
  languageUnsupported(
    `Amazon Translate does not translate from "${source}" into "${target}". ` +
      'Choose a language whose `features` in `GET /v1/languages` include translation.',
  );

const missingTerminology = (cause: Error) =>
  engineUnavailable('This region has no terminology with the name in TRANSLATE_TERMINOLOGY.', cause);

/** Amazon Translate: texts of up to 10,000 bytes, from any of its languages into any other. */
import { TranslateClient, TranslateTextCommand } from '@aws-sdk/client-translate';
import {
  engineUnavailable,
  type JobError,
  languageUnsupported,
  providerUnavailable,
} from '../../shared/job-errors.ts';
import { holdingBack, patience, refusalBy, type ServiceError } from '../aws/requests.ts';
import { primarySubtag } from '../engine.ts';
import { type TranslationEngine, type TranslationRequest, translationEngine } from './port.ts';
import { inBatches } from './translate-in-batches.ts';

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
        "Name of a custom terminology of the account, which decides how the account's terms are translated",
      default: '',
    },
  },
  quotas: { translate: 'translatePerSecond' },
  permissions: {
    translate: [
      {
        actions: ['translate:TranslateText'],
        resources: ['*'],
        why: 'TranslateText has no resource to name but terminologies.',
      },
    ],
  },
  make: ({ settings }) =>
    translateTexts({
      client: new TranslateClient({ ...holdingBack(), requestHandler: patience(ANSWER_MS) }),
      terminology: settings.TRANSLATE_TERMINOLOGY || null,
    }),
});

/** How long an answer may take, ms. */
const ANSWER_MS = 30_000;

export interface AmazonTranslateParts {
  readonly client: Pick<TranslateClient, 'send'>;
  /** A custom terminology of the account. */
  readonly terminology: string | null;
}

/** Quota "Maximum text size" of TranslateText, with some room. */
const MAX_BYTES = 9800;
/** Lines stay lines: each is translated by itself. */
const SEPARATOR = '\n';

export function translateTexts({ client, terminology }: AmazonTranslateParts): TranslationEngine {
  return {
    async translate(sentences, request) {
      const { signal, onProgress } = request;
      signal?.throwIfAborted();
      const codes = {
        SourceLanguageCode: codeOf(request, 'source'),
        TargetLanguageCode: codeOf(request, 'target'),
      };
      const terms = terminology === null ? {} : { TerminologyNames: [terminology] };
      const send = async (Text: string) => {
        const command = new TranslateTextCommand({ Text, ...codes, ...terms });
        const { TranslatedText } = await client.send(command, signal ? { abortSignal: signal } : {});
        return TranslatedText;
      };
      const batching = { max_bytes: MAX_BYTES, separator: SEPARATOR, signal, onProgress };
      return inBatches(sentences, batching, async (text) => {
        const answer = await send(text).catch((error: ServiceError) => {
          signal?.throwIfAborted();
          // An answer without lines has the batch asked for again by halves.
          if (error.name === 'TextSizeLimitExceededException' && text.includes(SEPARATOR)) return '';
          throw refusal(error, request);
        });
        // Else the sentences would stay as they are, and pass for translated.
        if (answer === undefined) throw providerUnavailable('Amazon Translate answered without a text.');
        return answer;
      });
    },
  };
}

/** "pt" of the service is Brazilian, which is "pt-BR" in the catalogue, "zh" is simplified. Developer Guide, as above. */
const ownCodes: Readonly<Record<string, string>> = {
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
    ownCodes[tag.toLowerCase()] ?? languages.find((code) => code.toLowerCase() === tag.toLowerCase());
  const found =
    own ?? languages.find((code) => code === (ownCodes[primarySubtag(tag)] ?? primarySubtag(tag)));
  if (found === undefined) throw unsupported(request);
  return found;
}

const unsupported = ({ source, target }: TranslationRequest) =>
  languageUnsupported(
    `Amazon Translate does not translate from "${source}" into "${target}". ` +
      'Choose a language whose `features` in `GET /v1/languages` include translation.',
  );

function refusal(error: ServiceError, request: TranslationRequest): JobError {
  if (error.name === 'UnsupportedLanguagePairException') return unsupported(request);
  // API_TranslateText: "The resource you are looking for has not been found", of which there is one.
  if (error.name === 'ResourceNotFoundException') {
    return engineUnavailable(
      'There is no terminology in this region by the name that TRANSLATE_TERMINOLOGY has.',
      error,
    );
  }
  return refusalBy('Amazon Translate', 'a text', error);
}

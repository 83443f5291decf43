/**
 * The models that `npm run models` knows by name, as data.
 *
 * Names, addresses and origins are from the documentation of sherpa-onnx, https://k2-fsa.github.io/sherpa/onnx/ (see `page`). Bytes and
 * SHA-256 of archives are from public projects that pin the same asset, because some networks cannot reach the releases. At least two
 * projects agree on each value (read 2026-11-22). `sha256: null` means that none was found: the checksum of the first download is
 * stored and checked later. Licenses are from the model cards of the trainers. TitaNet small has no model card, so its license is that
 * of TitaNet large.
 */
import type { Kind } from '../../engines/transcription/sherpa-model.ts';
import { whisperLanguages } from '../../engines/transcription/whisper-languages.ts';

export type Source = {
  url: string;
  /** The size of the download. Null if unknown. */
  bytes: number | null;
  sha256: string | null;
};

export type Entry = {
  name: string;
  /** `speech` turns speech into text. `voices` distinguishes speakers, together with any speech model. */
  role: 'speech' | 'voices';
  about: string;
  kind?: Kind;
  /** Primary subtags of BCP 47; null if the model works for all languages. */
  languages: readonly string[] | null;
  licence: string;
  page: string;
  sources: readonly Source[];
  /** Unpacked size, MB, as its page or repository lists it. */
  unpacked_mb: number;
};

const release = 'https://github.com/k2-fsa/sherpa-onnx/releases/download';
const pages = 'https://k2-fsa.github.io/sherpa/onnx';

const speech = (archive: string, bytes: number | null = null, sha256: string | null = null) => ({
  role: 'speech' as const,
  sources: [{ url: `${release}/asr-models/${archive}.tar.bz2`, bytes, sha256 }],
});

export const catalogue: readonly Entry[] = [
  {
    name: 'parakeet-v3',
    about: '25 European languages, case and punctuation, times of words; the first choice',
    languages: 'bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk'.split(' '),
    licence: 'CC BY 4.0 (NVIDIA)',
    page: `${pages}/pretrained_models/offline-transducer/nemo-transducer-models.html`,
    ...speech(
      'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8',
      487_170_055,
      '5793d0fd397c5778d2cf2126994d58e9d56b1be7c04d13c7a15bb1b4eafb16bf',
    ),
    unpacked_mb: 671,
  },
  {
    name: 'parakeet-v2',
    about: 'English, case and punctuation, times of words',
    languages: ['en'],
    licence: 'CC BY 4.0 (NVIDIA)',
    page: `${pages}/pretrained_models/offline-transducer/nemo-transducer-models.html`,
    ...speech(
      'sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8',
      482_468_385,
      '157c157bc51155e03e37d2466522a3a737dd9c72bb25f36eb18912964161e1ad',
    ),
    unpacked_mb: 662,
  },
  {
    name: 'zipformer-gigaspeech',
    about: 'English as it is spoken in podcasts and videos, times of words, no punctuation',
    languages: ['en'],
    licence: 'Apache 2.0 (icefall)',
    page: `${pages}/pretrained_models/offline-transducer/zipformer-transducer-models.html`,
    ...speech('sherpa-onnx-zipformer-gigaspeech-2023-12-12'),
    unpacked_mb: 337,
  },
  {
    name: 'moonshine-tiny',
    about: 'English, for slow machines; times of words are estimated',
    languages: ['en'],
    licence: 'MIT (Useful Sensors)',
    page: `${pages}/moonshine/models.html`,
    ...speech(
      'sherpa-onnx-moonshine-tiny-en-int8',
      107_600_538,
      'd5fe6ec4334fef36255b2a4010412cad4c007e33103fec62fb5d17cad88086f2',
    ),
    unpacked_mb: 125,
  },
  {
    name: 'moonshine-base',
    about: 'English; times of words are estimated',
    languages: ['en'],
    licence: 'MIT (Useful Sensors)',
    page: `${pages}/moonshine/models.html`,
    ...speech(
      'sherpa-onnx-moonshine-base-en-int8',
      250_807_309,
      '21870cecaa2e44e4e2bf63e02d1072bed183ccd10284871353bd9d24dad14e5e',
    ),
    unpacked_mb: 288,
  },
  {
    name: 'sense-voice',
    about: 'Chinese, Cantonese, Japanese, Korean and English, times of words, punctuation',
    kind: 'sense_voice',
    languages: ['zh', 'yue', 'ja', 'ko', 'en'],
    licence: 'FunASR Model License 1.1 (Alibaba)',
    page: `${pages}/sense-voice/pretrained.html`,
    ...speech(
      'sherpa-onnx-sense-voice-zh-en-ja-ko-yue-int8-2024-07-17',
      163_002_883,
      '7d1efa2138a65b0b488df37f8b89e3d91a60676e416f515b952358d83dfd347e',
    ),
    unpacked_mb: 240,
  },
  ...whispers(),
  {
    name: 'voices',
    role: 'voices',
    about: 'Tells voices apart (pyannote 3.0 and TitaNet small), beside any of the above',
    languages: null,
    licence: 'MIT (pyannote), CC BY 4.0 (NVIDIA)',
    page: `${pages}/speaker-diarization/models.html`,
    sources: [
      {
        url: `${release}/speaker-segmentation-models/sherpa-onnx-pyannote-segmentation-3-0.tar.bz2`,
        bytes: 6_958_444,
        sha256: '24615ee884c897d9d2ba09bb4d30da6bb1b15e685065962db5b02e76e4996488',
      },
      {
        url: `${release}/speaker-recongition-models/nemo_en_titanet_small.onnx`,
        bytes: 40_257_283,
        sha256: 'ad4a1802485d8b34c722d2a9d04249662f2ece5d28a7a039063ca22f515a789e',
      },
    ],
    unpacked_mb: 48,
  },
];

/** The published sizes of Whisper: name, bytes, SHA-256, and unpacked MB. */
function whispers(): Entry[] {
  const sizes: readonly (readonly [size: string, bytes: number, sha256: string, unpacked_mb: number])[] = [
    ['tiny.en', 118_071_777, '2bd6cf965c8bb3e068ef9fa2191387ee63a9dfa2a4e37582a8109641c20005dd', 257],
    ['tiny', 116_204_861, 'c46116994e539aa165266d96b325252728429c12535eb9d8b6a2b10f129e66b1', 257],
    ['base.en', 208_576_005, '475bc7052ce299c007f6d5d5407ba8601f819a2867f6eecee510ed17df581542', 454],
    ['base', 207_557_382, '911b2083efd7c0dca2ac3b358b75222660dc09fb716d64fbfc417ba6c99ff3de', 454],
    ['small.en', 635_693_775, '0cdba2b8aaab69e04847f3427cc9709574112e67913a1a84b7fec3a8729faa9a', 1345],
    ['small', 639_387_718, '486a46afbb7ba798507190ffe02fea2dd726049af212e774537efac6afb210a6', 1345],
    ['turbo', 563_790_207, 'b11acbbcd660b44a8e0df33724feb5aaa709cf65668f2823d59f656312544f22', 1037],
  ];
  return sizes.map(([size, bytes, sha256, unpacked_mb]) => {
    const isEnglish = size.endsWith('.en');
    return {
      name: `whisper-${size}`,
      about: `${isEnglish ? 'English' : '99 languages, found out by itself'}; times of words are estimated`,
      languages: isEnglish ? ['en'] : whisperLanguages,
      licence: 'MIT (OpenAI)',
      page: `${pages}/pretrained_models/whisper/index.html`,
      ...speech(`sherpa-onnx-whisper-${size}`, bytes, sha256),
      unpacked_mb,
    };
  });
}

/** What each step needs, by logical id. A step that a state machine names must have its line here. */
import type { Permissions } from '../shared/permissions.ts';

export interface StepSettings {
  readonly description: string;
  /** MB. 1769 MB is where Lambda gives one whole processor. */
  readonly memory: number;
  /** Seconds. Its Tasks wait a little longer, so that it is the function that tells of a time-out. */
  readonly timeout: number;
  /** Whether it runs ffmpeg: its function is then an image that has it, with room for the media. */
  readonly ffmpeg?: true;
  /** MiB of `/tmp`, for what it writes there; `roomForMedia` when absent. */
  readonly room?: number;
  readonly permissions: Permissions;
  /** State machines that it may start, by name of the definition. */
  readonly starts?: readonly string[];
  /** State machines whose executions it may look at, by name of the definition. */
  readonly watches?: readonly string[];
  /** Whether it is told the address of the API, which it calls as anybody does. */
  readonly callsApi?: true;
}

/** MiB of `/tmp`, the least that Lambda gives: media are read where they lie, and most steps write nothing there. */
export const roomForMedia = 512;

/** @throws Error for a step that a state machine names and this table does not */
export function settingsOf(name: string): StepSettings {
  const settings = steps[name];
  if (settings !== undefined) return settings;
  throw new Error(`A state machine names the step ${name}, which has no settings in lib/jobs/steps.ts`);
}

export const steps: Readonly<Record<string, StepSettings>> = {
  CompleteUpload: {
    description: 'Joins the uploaded parts into the source of the asset',
    memory: 512,
    timeout: 300,
    permissions: { tables: { Core: ['check', 'get', 'put', 'query', 'update'] }, media: ['Read', 'Upload'] },
  },
  ProbeMedia: {
    description: 'Reads duration, streams and pictures of the media; refuses what is not media',
    memory: 2048,
    timeout: 900,
    ffmpeg: true,
    // Of quotas is held what the media will take.
    permissions: {
      tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'], Ephemeral: ['get', 'update'] },
      media: ['Read'],
    },
  },
  PrepareAudio: {
    description: 'Extracts the speech, hears where somebody speaks, and cuts it between',
    memory: 2048,
    timeout: 900,
    ffmpeg: true,
    // Of quotas is held what the sound takes that is longer than the media claimed to be.
    permissions: {
      tables: { Core: ['check', 'get', 'put', 'query', 'update'], Ephemeral: ['get', 'update'] },
      media: ['Read', 'Write', 'Delete'],
      engines: { transcription: ['plan'] },
    },
  },
  TranscribePiece: {
    description: 'Turns one piece of the speech into words',
    memory: 1769,
    timeout: 900,
    permissions: {
      tables: { Core: ['batchGet', 'check', 'get', 'put', 'query', 'update'] },
      media: ['Read', 'Write'],
      engines: { transcription: ['transcribe'] },
    },
  },
  MergeTranscription: {
    description: 'Joins the words of all pieces into segments',
    memory: 1769,
    timeout: 300,
    permissions: {
      tables: { Core: ['batchGet', 'check', 'get', 'put', 'query', 'update'] },
      media: ['Read', 'Write', 'Delete'],
    },
  },
  DescribeSounds: {
    description: 'Makes sound descriptions of what is heard beside speech',
    memory: 512,
    timeout: 60,
    permissions: { tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] }, media: ['Read'] },
  },
  AnalyzeText: {
    description: 'Finds out what is said and written is about',
    memory: 1769,
    timeout: 900,
    permissions: {
      tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
      media: ['Read', 'Write'],
      engines: { text_analysis: ['analyze', 'languageOf'] },
    },
  },
  TranslateIngest: {
    description: 'Translates what was transcribed into a language of the template',
    memory: 1769,
    timeout: 900,
    permissions: {
      tables: { Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] },
      media: ['Read', 'Write', 'Delete'],
      engines: { translation: ['translate'] },
    },
  },
  PlanPictures: {
    description: 'Cuts the pictures of the media into spans that are looked at side by side',
    memory: 1769,
    timeout: 900,
    ffmpeg: true,
    permissions: { tables: { Core: ['check', 'get', 'query', 'update'] }, media: ['Read'] },
  },
  LookAtPictures: {
    description: 'Decodes one span of the video, and looks at its pictures',
    memory: 3008,
    timeout: 900,
    ffmpeg: true,
    permissions: {
      tables: { Core: ['check', 'get', 'put', 'query', 'update'] },
      media: ['Read', 'Write'],
      engines: { shots: ['boundaries'], faces: ['find'], ocr: ['read'] },
    },
  },
  MergePictures: {
    description: 'Joins what was seen in all spans into what their analyses found',
    memory: 1769,
    timeout: 900,
    ffmpeg: true,
    permissions: {
      tables: { Core: ['check', 'get', 'put', 'query', 'update'] },
      media: ['Read', 'Write'],
      engines: { faces: ['tellApart'] },
    },
  },
  FinishIngest: {
    description: 'Marks the asset as ready and its job as succeeded',
    memory: 256,
    timeout: 60,
    permissions: {
      tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Read', 'Delete'],
      engines: { voice_cloning: ['discard'] },
    },
    starts: ['DeliverEvent'],
  },
  FailIngest: {
    description: 'Removes what a failed ingest had made, and writes why onto its job and its asset',
    memory: 512,
    timeout: 300,
    permissions: {
      tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Read', 'Write', 'Delete'],
      engines: { voice_cloning: ['discard'] },
    },
    starts: ['DeliverEvent'],
  },
  ClearIngest: {
    description: 'Removes what a canceled ingest had made',
    memory: 512,
    timeout: 300,
    permissions: {
      tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Read', 'Delete'],
      engines: { transcription: ['discard'], voice_cloning: ['discard'] },
    },
    starts: ['DeliverEvent'],
  },
  RemoveMedia: {
    description: 'Removes the uploads and objects of a deleted asset',
    memory: 512,
    timeout: 900,
    permissions: {
      tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Delete'],
    },
    starts: ['DeliverEvent'],
  },
  EraseAsset: {
    description: 'Removes the records of a deleted asset',
    memory: 512,
    timeout: 900,
    permissions: { tables: { Core: ['delete', 'get', 'query'] }, admin: true },
  },
  EmptyCollection: {
    description: 'Takes all assets out of a deleted collection',
    memory: 512,
    timeout: 900,
    permissions: { tables: { Core: ['batchGet', 'delete', 'get', 'put', 'query', 'update'] } },
  },
  CheckBrandingFile: {
    description:
      'Joins the parts of an overlay or branding clip, probes the file and makes what is rendered of it',
    memory: 3008,
    timeout: 900,
    ffmpeg: true,
    room: 2048,
    // Of quotas is held how long it plays.
    permissions: {
      tables: {
        Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'],
        Ephemeral: ['get', 'update'],
      },
      admin: true,
      media: ['Read', 'Upload', 'Delete'],
    },
    starts: ['DeliverEvent'],
  },
  FailBrandingUpload: {
    description: 'Removes a branding file that cannot be used, and writes why onto its job and the file',
    memory: 512,
    timeout: 300,
    permissions: {
      tables: { Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Read', 'Delete'],
    },
    starts: ['DeliverEvent'],
  },
  ClearBrandingUpload: {
    description: 'Removes what a canceled check of a branding file had made',
    memory: 512,
    timeout: 300,
    permissions: {
      tables: { Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Read', 'Delete'],
    },
    starts: ['DeliverEvent'],
  },
  PlanTranslation: {
    description: 'Marks a translation job as running, and says into which languages',
    memory: 256,
    timeout: 60,
    permissions: { tables: { Core: ['get', 'update'] } },
  },
  TranslateLanguage: {
    description: 'Translates an asset into one language',
    memory: 1769,
    timeout: 900,
    permissions: {
      tables: { Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] },
      media: ['Read', 'Write', 'Delete'],
      engines: { translation: ['translate'] },
    },
  },
  FinishTranslation: {
    description: 'Ends a translation job as its languages ended',
    memory: 256,
    timeout: 60,
    permissions: {
      tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Delete'],
    },
    starts: ['DeliverEvent'],
  },
  FailTranslation: {
    description: 'Writes why a translation job failed as a whole',
    memory: 256,
    timeout: 60,
    permissions: {
      tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Delete'],
    },
    starts: ['DeliverEvent'],
  },
  ClearTranslation: {
    description: 'Removes what a canceled translation job had made',
    memory: 512,
    timeout: 300,
    permissions: {
      tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Read', 'Write', 'Delete'],
    },
    starts: ['DeliverEvent'],
  },
  PlanVoiceOver: {
    description: 'Marks a voice over job as running, and says which languages it speaks',
    memory: 256,
    timeout: 60,
    permissions: { tables: { Core: ['get', 'update'] } },
  },
  PlanDub: {
    description: 'Says what is spoken in a language, by which voices, and in which groups of segments',
    memory: 1769,
    timeout: 300,
    permissions: {
      tables: { Core: ['get', 'query'] },
      media: ['Read', 'Write'],
      engines: { voice_cloning: ['clone'] },
    },
  },
  SpeakSegments: {
    description: 'Speaks a group of segments, each fitted to its time',
    memory: 1769,
    timeout: 900,
    ffmpeg: true,
    permissions: {
      tables: { Core: ['get', 'put', 'update'] },
      media: ['Read', 'Write'],
      engines: { speech: ['speak'], voice_cloning: ['speak'] },
    },
  },
  MixDub: {
    description: 'Makes the sound of a language out of its speech and the original',
    memory: 3008,
    timeout: 900,
    ffmpeg: true,
    room: 8192,
    permissions: {
      tables: { Core: ['check', 'get', 'put', 'query', 'update'] },
      media: ['Read', 'Write', 'Upload'],
      engines: { speech: ['speak'], voice_cloning: ['speak', 'discard'] },
    },
  },
  MuxDub: {
    description: 'Makes a video with the sound of a language',
    memory: 1769,
    timeout: 900,
    ffmpeg: true,
    room: 10_240,
    permissions: { tables: { Core: ['get', 'query', 'update'] }, media: ['Read', 'Upload'] },
  },
  FinishVoiceOver: {
    description: 'Ends a voice over job as its languages ended',
    memory: 512,
    timeout: 300,
    permissions: {
      tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Read', 'Delete'],
      engines: { voice_cloning: ['discard'] },
    },
    starts: ['DeliverEvent'],
  },
  FailVoiceOver: {
    description: 'Writes why a voice over job failed as a whole, and removes what it had made',
    memory: 512,
    timeout: 300,
    permissions: {
      tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Read', 'Delete'],
      engines: { voice_cloning: ['discard'] },
    },
    starts: ['DeliverEvent'],
  },
  ClearVoiceOver: {
    description: 'Removes what a canceled voice over job had made',
    memory: 512,
    timeout: 300,
    permissions: {
      tables: { Core: ['delete', 'get', 'put', 'query'] },
      admin: true,
      media: ['Read', 'Delete'],
      engines: { voice_cloning: ['discard'] },
    },
    starts: ['DeliverEvent'],
  },
  PlanClips: {
    description: 'Marks a job that renders clips as running, and says which clips',
    memory: 256,
    timeout: 60,
    permissions: { tables: { Core: ['get', 'update'] } },
  },
  PlanClip: {
    description: 'Says which chunks of a clip have to be rendered, and how',
    memory: 1769,
    timeout: 300,
    ffmpeg: true,
    permissions: { tables: { Core: ['batchGet', 'get', 'query', 'update'] }, media: ['Read', 'Write'] },
  },
  RenderChunk: {
    description: 'Renders chunks of a clip, as many as there is time for',
    memory: 3008,
    timeout: 900,
    ffmpeg: true,
    room: 4096,
    permissions: { tables: { Core: ['get', 'put', 'query', 'update'] }, media: ['Read', 'Write', 'Upload'] },
  },
  RenderSound: {
    description: 'Makes the sound of a clip',
    memory: 1769,
    timeout: 900,
    ffmpeg: true,
    room: 4096,
    permissions: { tables: { Core: ['get', 'query', 'update'] }, media: ['Read', 'Write', 'Upload'] },
  },
  JoinClip: {
    description: 'Joins the chunks and the sound of a clip into its file',
    memory: 1769,
    timeout: 900,
    ffmpeg: true,
    permissions: { tables: { Core: ['get', 'query', 'update'] }, media: ['Read', 'Write', 'Upload'] },
  },
  FinishClips: {
    description: 'Ends a job that renders clips as its clips ended',
    memory: 512,
    timeout: 300,
    permissions: {
      tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Read', 'Delete'],
    },
    starts: ['DeliverEvent'],
  },
  FailClips: {
    description: 'Writes why a job that renders clips failed as a whole',
    memory: 512,
    timeout: 300,
    permissions: {
      tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Delete'],
    },
    starts: ['DeliverEvent'],
  },
  ClearClips: {
    description: 'Removes what a canceled job that renders clips had made',
    memory: 512,
    timeout: 300,
    permissions: {
      tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Read', 'Delete'],
    },
    starts: ['DeliverEvent'],
  },
  RenderExport: {
    description: 'Makes the file that an export writes',
    memory: 1769,
    timeout: 300,
    permissions: { tables: { Core: ['get', 'query', 'update'] }, media: ['Read', 'Write', 'Delete'] },
  },
  WriteExport: {
    description: 'Writes a file to an external storage',
    memory: 1769,
    timeout: 900,
    permissions: {
      tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Read', 'Delete'],
      engines: { secrets: ['unwrap'], exporting: ['write'] },
    },
    starts: ['DeliverEvent'],
  },
  FailExport: {
    description: 'Writes why an export failed onto its job, and removes what it had begun',
    memory: 512,
    timeout: 60,
    permissions: {
      tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Delete'],
      engines: { secrets: ['unwrap'], exporting: ['abandon'] },
    },
    starts: ['DeliverEvent'],
  },
  ClearExport: {
    description: 'Removes what a canceled export had begun',
    memory: 512,
    timeout: 300,
    permissions: {
      tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
      admin: true,
      media: ['Read', 'Delete'],
      engines: { secrets: ['unwrap'], exporting: ['abandon'] },
    },
    starts: ['DeliverEvent'],
  },
  DeliverEvent: {
    description: 'Sends an event to a webhook, signed',
    memory: 256,
    timeout: 30,
    permissions: {
      tables: { Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] },
      engines: { secrets: ['unwrap'], webhooks: ['post'] },
    },
  },
};

/** The steps whose functions are images. */
export const mediaSteps: readonly string[] = Object.keys(steps).filter((name) => steps[name]!.ffmpeg);

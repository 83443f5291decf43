/** Branding clips: videos before and after a clip. */
import {
  type FileKind,
  fileFacts,
  fileFields,
  finishFileUpload,
  getFileUploadJob,
  startFileUpload,
} from './branding-files.ts';
import { crud } from './crud.ts';

const file: FileKind = {
  one: 'BrandingClip',
  kind: 'branding clip',
  path: '/v1/branding_clips/{clip_id}',
  id: 'clip_id',
};

export const {
  createBrandingClip,
  listBrandingClips,
  getBrandingClip,
  updateBrandingClip,
  deleteBrandingClip,
} = crud({
  one: 'BrandingClip',
  many: 'BrandingClips',
  kind: 'branding clip',
  kinds: 'branding clips',
  type: 'branding_clips',
  path: '/v1/branding_clips',
  id: 'clip_id',
  scope: 'config',
  fields: fileFields,
  facts: fileFacts,
  deletion: 'Its file is removed too.',
  example: { name: 'Opening', filename: 'opening.mp4' },
  factsExample: {
    status: 'ready',
    media_type: 'video',
    size_bytes: 1_204_224,
    width: 1920,
    height: 1080,
    duration_ms: 4000,
  },
});

export const startBrandingClipUpload = startFileUpload(file);
export const finishBrandingClipUpload = finishFileUpload(file);
export const getBrandingClipUploadJob = getFileUploadJob(file);

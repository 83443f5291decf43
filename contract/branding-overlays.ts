/** Branding overlays: a picture or video on top of a clip. */
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
  one: 'BrandingOverlay',
  kind: 'branding overlay',
  path: '/v1/branding_overlays/{overlay_id}',
  id: 'overlay_id',
};

export const {
  createBrandingOverlay,
  listBrandingOverlays,
  getBrandingOverlay,
  updateBrandingOverlay,
  deleteBrandingOverlay,
} = crud({
  one: 'BrandingOverlay',
  many: 'BrandingOverlays',
  kind: 'branding overlay',
  kinds: 'branding overlays',
  type: 'branding_overlays',
  path: '/v1/branding_overlays',
  id: 'overlay_id',
  scope: 'config',
  fields: fileFields,
  facts: fileFacts,
  deletion: 'Its file is removed too.',
  example: { name: 'Logo', filename: 'logo.png' },
  factsExample: { status: 'ready', media_type: 'image', size_bytes: 48_213, width: 1920, height: 1080 },
});

export const startBrandingOverlayUpload = startFileUpload(file);
export const finishBrandingOverlayUpload = finishFileUpload(file);
export const getBrandingOverlayUploadJob = getFileUploadJob(file);

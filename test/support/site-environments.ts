/** Sites of environments with their own domains. */
import { localSite, type SiteEnvironment } from '../../content/site.ts';

export const production: SiteEnvironment = {
  ...localSite,
  name: 'prod',
  baseUrl: 'https://kinora.example',
  apiUrl: 'https://api.kinora.example',
  alternateHosts: ['www.kinora.example'],
  indexable: true,
};

export const preview: SiteEnvironment = {
  ...localSite,
  name: 'preview',
  baseUrl: 'https://preview.kinora.example',
  apiUrl: 'https://api.preview.kinora.example',
  isPublic: false,
};

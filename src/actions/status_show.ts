import { byUpstream, type SiteAction } from './action.ts';
import { list, nothing, text } from './openapi/result-schemas.ts';
import { closed } from './openapi/tables.ts';

/** Describes the site. The R client ckanr infers the available features from the digits of `ckan_version`. */
export const status_show: SiteAction = {
  about: 'site',
  name: 'status_show',
  sideEffectFree: true,
  help: 'Tell what this site is and which version of CKAN it answers like.',
  parameters: [],
  example: {},
  answeredBy: byUpstream,
  answer: (_, site) => ({
    site_title: site.title,
    site_description: '',
    site_url: site.url,
    error_emails_to: null,
    locale_default: 'en',
    extensions: ['datastore'],
    ckan_version: `${site.version}.0`,
  }),
  resultSchema: closed({
    site_title: text,
    site_description: text,
    site_url: text,
    error_emails_to: nothing,
    locale_default: text,
    extensions: list(text),
    ckan_version: text,
  }),
};

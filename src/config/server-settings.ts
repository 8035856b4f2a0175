/** The settings of the ports, the process and the upstream. Pure. */
import { z } from 'zod';
import {
  atStart,
  choice,
  duration,
  flag,
  mapping,
  maybe,
  needed,
  section,
  setting,
  text,
  wholeNumber,
} from './readers.ts';

const url = text('an http or https URL without user, query or fragment', /^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/);
const site = text('an http or https URL without a path (that is basePath)', /^https?:\/\/[^\s/?#@]+\/?$/);
const language = text('a language segment such as en or pt_BR', /^[a-z]{2,3}([_-][A-Za-z]{2,8})*$/);

const networks = 'true, false or a list of addresses and networks such as 10.0.0.0/8';
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'an address or a network such as 10.0.0.0/8');

/** The port for clients, and how the process runs. */
export const server = section({
  host: atStart(setting(text('an address'), '127.0.0.1', 'Address to listen on.')),
  port: atStart(setting(wholeNumber(0, 65535), 8000, 'Port to listen on.')),
  siteUrl: maybe(site, 'http://HOST:PORT', 'Public address of the gateway, from which links are built.'),
  title: setting(text('a title'), 'Datastore', 'Name of the site, for people.'),
  description: setting(z.string('text'), '', 'Description of the site, in one or two sentences.'),
  basePath: setting(text('empty or a path such as /data', /^(\/[^\s/?#]+)*$/), '', 'Path in front of /api.'),
  languages: setting(
    z.union([choice('any', 'none'), z.array(language)], 'any, none or a list of language segments'),
    'any',
    'Language segments that are accepted in front of /api.',
  ),
  workers: atStart(
    setting(
      z.union([z.literal('auto'), wholeNumber(1, 256)], 'auto or a whole number from 1 to 256'),
      1,
      'Number of worker processes; auto is one per processor core, at most one per connection of the smallest pool.',
    ),
  ),
  trustProxy: setting(
    z.union([flag, z.array(network).min(1, networks)], networks),
    false,
    'Whose X-Forwarded-* headers are trusted: of no peer, of every direct peer, or of these addresses and networks.',
  ),
  compat: setting(
    z.literal(['2.12', '2.11'], '"2.12" or "2.11", in quotes'),
    '2.12',
    'Version of CKAN whose responses the gateway imitates.',
  ),
  secret: maybe(
    text('a text of at least 32 characters', /^.{32,}$/s),
    'made anew at each start',
    'Key that seals the `after` of next_page, so that it stays valid after a restart and on other instances.',
  ),
  reload: atStart(
    setting(
      choice('signal', 'watch'),
      'signal',
      'When the configuration is read again: on SIGHUP, or also when one of its files changes.',
    ),
  ),
  drainDelay: setting(
    duration(0),
    '0s',
    'Time after SIGTERM in which everything is served as before, while /ready is a 503: longer than a balancer takes to notice.',
  ),
  drainTimeout: setting(duration(1), '10s', 'Maximum time that running calls may take afterwards.'),
});

/** The port for operators. */
export const admin = mapping({
  host: atStart(
    setting(text('an address'), '127.0.0.1', 'Address of /live, /ready and /metrics, which exist only with `admin`.'),
  ),
  port: atStart(
    setting(wholeNumber(0, 65535), 9100, 'Port of /live, /ready and /metrics; must differ from the main port.'),
  ),
})
  .nullish()
  .transform((v) => v ?? null);

/** The application behind the gateway. */
export const upstream = mapping({
  url: atStart(needed(url, 'URL of the upstream, which gets every request that is not for the gateway.')),
  host: atStart(
    maybe(
      text('a host name, with a port where it needs one', /^[\w.-]+(:\d{1,5})?$|^\[[\da-fA-F:.]+\](:\d{1,5})?$/),
      'that of url',
      'Header Host of forwarded requests: the name of the site, if the upstream builds links and redirects from it.',
    ),
  ),
  connectTimeout: atStart(setting(duration(1), '5s', 'Maximum time until the upstream accepts a connection.')),
  idleTimeout: atStart(setting(duration(1), '2m', 'Maximum time without a byte in either direction during a request.')),
  maxRequests: atStart(
    setting(
      wholeNumber(1),
      1000,
      'Maximum number of concurrent requests and WebSockets, of all workers together; further ones are a 503.',
    ),
  ),
  access: section({
    cookies: setting(
      z.array(text('the name of a cookie', /^[\w.-]+$/), 'a list of names'),
      [],
      'Cookies that are logins, for reads of the same site only: ckan and remember_token for CKAN 2.10 and later.',
    ),
    header: maybe(
      text(
        'the name of a header of its own, such as X-My-Token',
        /^(?!(?:host|cookie|connection|transfer-encoding|content-.*)$)[a-z][a-z0-9-]*$/i,
      ),
      'Authorization and X-CKAN-API-Key alone',
      'Another header with a token, as apitoken_header_name of CKAN.',
    ),
    keep: setting(duration(1), '30s', 'How long a yes of the upstream holds; a no holds 5s at most.'),
    timeout: setting(duration(1), '3s', 'Maximum time that the upstream may take for a decision.'),
    maxRequests: setting(
      wholeNumber(1),
      32,
      'Maximum number of concurrent questions to the upstream, of all workers together; half of them are for logins that had a yes.',
    ),
  }),
})
  .nullish()
  .transform((v) => v ?? null);

/** The settings of callers: tokens, issuers of JWTs, and row filters. Pure. */
import { z } from 'zod';
import { isPrivateOnTheWay } from '../values/http-url.ts';
import {
  choice,
  flag,
  jsonValue,
  mapping,
  maybe,
  names,
  needed,
  pointInTime,
  rowValue,
  setting,
  text,
} from './readers.ts';

/** A row filter. It is checked against the table later; here we only check that it excludes some rows. */
export const rowFilter = z
  .union(
    [z.record(z.string(), rowValue), z.array(z.record(z.string(), rowValue))],
    'a filter such as { region: north }',
  )
  .refine((filter) => Object.keys(filter).length > 0, 'a filter that leaves something out, such as { region: north }');

const rowFilters = (help: string) =>
  setting(z.record(z.string(), rowFilter, 'a mapping of resources to filters'), {}, help);

/** Only algorithms with a public key: for the others, the file would have to contain a secret. */
const signatures = [
  ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512', 'EdDSA'] as const),
] as const;

/** A token in the file. */
export const token = mapping({
  name: needed(text('1 to 64 letters, digits, _ . or -', /^[\w.-]{1,64}$/), 'Name of the owner, for the log.'),
  sha256: needed(
    text('64 hexadecimal digits, as the command token prints them', /^[0-9a-fA-F]{64}$/),
    'SHA-256 of the token.',
  ),
  read: setting(names('a resource or "*"'), [], 'Resources that the token may read; "*" is all.'),
  write: setting(names('a resource or "*"'), [], 'Resources that the token may write; "*" is all that can be written.'),
  where: rowFilters(
    'Filters of the rows that the token may read and write, by resource; they narrow `resources.*.where`.',
  ),
  claims: setting(
    z.record(z.string(), jsonValue, 'a mapping'),
    {},
    'Values that filters take by name, where they have claims.',
  ),
});

const aPrivateUrl = 'an https URL (http is for this computer only)';
const privateUrl = z.string(aPrivateUrl).refine(isPrivateOnTheWay, aPrivateUrl);

const grant = mapping({
  when: setting(
    z.record(z.string(), text('a text'), 'a mapping of claims to texts'),
    {},
    'Texts that all these claims must equal or list; `a.b` is a member of the claim `a`.',
  ),
  read: setting(names('a resource or "*"'), [], 'Resources that the JWT may read; "*" is all.'),
  write: setting(names('a resource or "*"'), [], 'Resources that the JWT may write; "*" is all.'),
  where: rowFilters('Filters of its rows, by resource.'),
});

/** An issuer of JWTs. */
export const jwt = mapping({
  name: needed(
    text('1 to 32 letters, digits, _ . or -, and not ckan', /^(?!ckan$)[\w.-]{1,32}$/),
    'Callers are logged as NAME/SUBJECT.',
  ),
  issuer: needed(privateUrl, 'Claim `iss` of the JWTs, exactly.'),
  audience: needed(text('a text'), 'Text that their claim `aud` contains.'),
  jwksUrl: maybe(privateUrl, 'by discovery from the issuer', 'URL of the public keys.'),
  algorithms: setting(
    z.array(choice(...signatures), 'a list of algorithms').min(1, 'at least one algorithm'),
    ['RS256', 'ES256'],
    'Accepted signatures.',
  ),
  type: maybe(text('a type such as at+jwt'), 'any', 'Header `typ` of the JWTs.'),
  issuedAfter: maybe(pointInTime, 'none', 'Time: older JWTs are refused.'),
  forward: setting(flag, false, 'Whether the upstream gets these JWTs.'),
  grants: setting(
    z.array(grant, 'a list of grants'),
    [],
    'What JWTs may do: for each resource, the first grant that matches and names it decides.',
  ),
});

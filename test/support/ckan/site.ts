/** Users, private datasets and logins in the CKAN of a test. */
import { randomBytes } from 'node:crypto';
import type { Caller, Ckan } from './ckan.ts';

export interface CkanUser {
  readonly id: string;
  readonly name: string;
  readonly password: string;
  readonly token: string;
}

const freshName = (kind: string) => `${kind}-${randomBytes(4).toString('hex')}`;

/** The result of an action that must succeed, called as the sysadmin unless told otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: each action has its own result, and a test that reads the wrong one fails
export async function resultOf(ckan: Ckan, action: string, params: object, caller?: Caller): Promise<any> {
  const { status, body } = await ckan.action(action, params, caller ?? { token: ckan.sysadmin });
  if (status !== 200) throw new Error(`${action}: ${status} ${JSON.stringify(body)}`);
  return body.result;
}

/** Creates a user with a token. Without a membership, it sees what is public. */
export async function createUser(ckan: Ckan, isSysadmin = false): Promise<CkanUser> {
  const name = freshName('user');
  const password = randomBytes(12).toString('hex');
  const { id } = await resultOf(ckan, 'user_create', { name, password, email: `${name}@example.org` });
  if (isSysadmin) await resultOf(ckan, 'user_patch', { id, sysadmin: true });
  return { id, name, password, token: await createToken(ckan, name) };
}

/** Creates one more token of a user. */
export async function createToken(ckan: Ckan, user: string): Promise<string> {
  return (await resultOf(ckan, 'api_token_create', { user, name: freshName('token') })).token;
}

export const revokeToken = (ckan: Ckan, token: string): Promise<void> => resultOf(ckan, 'api_token_revoke', { token });

/** Creates an organisation. @returns its id */
export async function createOrganization(
  ckan: Ckan,
  members: readonly { readonly user: CkanUser; readonly role: 'admin' | 'editor' | 'member' }[],
): Promise<string> {
  const users = members.map(({ user, role }) => ({ name: user.name, capacity: role }));
  return (await resultOf(ckan, 'organization_create', { name: freshName('organization'), users })).id;
}

/** Creates a dataset with one resource. @returns the id of the resource */
export async function createResource(ckan: Ckan, organization: string, isPrivate = true): Promise<string> {
  const dataset = { name: freshName('dataset'), owner_org: organization, private: isPrivate };
  const { id } = await resultOf(ckan, 'package_create', dataset);
  const resource = { package_id: id, name: 'table', url: 'https://data.example.org/table', format: 'CSV' };
  return (await resultOf(ckan, 'resource_create', resource)).id;
}

export const deleteResource = (ckan: Ckan, id: string): Promise<void> => resultOf(ckan, 'resource_delete', { id });

/**
 * Logs in with the form, as a browser does.
 * @param isRemembered whether to tick "Remember me", which adds the cookie `remember_token`
 * @returns the `Cookie` header that the browser sends from then on
 */
export async function logIn(ckan: Ckan, { name, password }: CkanUser, isRemembered = false): Promise<string> {
  const at = `${ckan.url}/user/login`;
  const form = await fetch(at);
  const csrf = /name="_csrf_token"[^>]* value="([^"]+)"/.exec(await form.text())?.[1];
  if (csrf === undefined) throw new Error('the login form has no CSRF token');
  const fields = { _csrf_token: csrf, login: name, password, ...(isRemembered && { remember: '63072000' }) };
  const headers = { Cookie: cookies(form) };
  const answer = await fetch(at, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' });
  if (answer.status !== 302) throw new Error(`the login was answered with ${answer.status}`);
  return cookies(answer);
}

const cookies = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

/** A download by a form. A link or a form can send no header, and a script that fetches the file holds all of it in memory. */
import { questionLimit } from '../accept/body.ts';
import { formFields } from '../accept/parameters.ts';
import type { Route } from '../accept/route.ts';
import { type Call, ownerOf } from './begin.ts';
import { header } from './classify.ts';

type DumpCall = Call<Extract<Route, { to: 'dump' }>>;

/**
 * The call with the fields of its form before the parameters of its URL, by the caller whose token is in the field `token`. A token
 * in the URL counts for nothing: URLs are logged.
 * @throws Refusal malformed, tooLarge or mediaType
 */
export async function withForm(call: DumpCall): Promise<DumpCall> {
  const { gateway, request, route } = call;
  const { parameters, questionBytes } = gateway.settings.limits;
  const body = await request.content(questionLimit(questionBytes));
  const fields = await formFields(header(request, 'content-type'), body, parameters);
  const token = fields.find(([name]) => name === 'token')?.[1].trim() ?? '';
  const others = new URLSearchParams();
  for (const [name, value] of fields) if (name !== 'token') others.append(name, value);
  const query = [others.toString(), route.query].filter((part) => part !== '').join('&');
  return { ...call, sender: token === '' ? call.sender : ownerOf(gateway, token), route: { ...route, query } };
}

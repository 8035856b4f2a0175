/** A download by a form. A link or a form can send no header, and a script that fetches the file holds all of it in memory. */
import { questionLimit } from '../accept/body.ts';
import { formFields } from '../accept/parameters.ts';
import { type DownloadCall, ownerOf, sentBy } from './call.ts';
import { header } from './classify.ts';

/**
 * The call with the fields of its form before the parameters of its URL, by the caller whose token is in the field `token`. A token
 * in the URL counts for nothing: URLs are logged.
 * @throws Refusal malformed, tooLarge or mediaType
 */
export async function withForm(call: DownloadCall): Promise<DownloadCall> {
  const { gateway, request, route } = call;
  const { parameters, questionBytes } = gateway.settings.limits;
  const read = async () =>
    formFields(header(request, 'content-type'), await request.content(questionLimit(questionBytes)), parameters);
  const fields = await read().catch(async (error: unknown) => {
    // A form that cannot be read has no token, so it counts for its address.
    await gateway.rates?.take({ caller: null, address: call.address });
    throw error;
  });
  const token = fields.find(([name]) => name === 'token')?.[1].trim() ?? '';
  const others = new URLSearchParams();
  for (const [name, value] of fields) if (name !== 'token') others.append(name, value);
  const query = [others.toString(), route.query].filter((part) => part !== '').join('&');
  const own = token === '' ? call : sentBy(call, ownerOf(gateway, token));
  return { ...own, route: { ...route, query } };
}

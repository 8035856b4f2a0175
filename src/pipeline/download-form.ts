/** Downloads by an HTML form, with the token in a field: a form can't send headers, and a script would hold the whole file in memory. */
import { formFields } from '../accept/parameters.ts';
import { ofToken } from '../accept/verdicts/credential.ts';
import { type DownloadCall, ownerOf, sentBy } from './call.ts';
import { header } from './classify.ts';

/**
 * Merges the fields of the form into the call; they override the parameters of its URL. The field `token` identifies the caller. A token
 * in the URL is ignored, because URLs end up in logs.
 * @throws Refusal malformed, tooLarge or mediaType
 */
export async function withForm(call: DownloadCall): Promise<DownloadCall> {
  const { gateway, request, route } = call;
  const { parameters, questionBytes } = gateway.settings.limits;
  const read = async () =>
    formFields(
      header(request, 'content-type'),
      await request.content({ bytes: questionBytes, setting: 'questionBytes' }),
      parameters,
    );
  const fields = await read().catch(async (error: unknown) => {
    // If the form can't be read, there is no token, so the call counts against the rate limit of its address.
    await gateway.rates?.take({ caller: null, address: call.address });
    throw error;
  });
  const token =
    fields
      .find(([name]) => name === 'token')?.[1]
      .trim()
      .replace(/^bearer[ \t]+/i, '') ?? '';
  const others = new URLSearchParams();
  for (const [name, value] of fields) if (name !== 'token') others.append(name, value);
  const query = [others.toString(), route.query].filter((part) => part !== '').join('&');
  const identified =
    token === ''
      ? call
      : sentBy(call, ownerOf(gateway, token), ofToken({ header: 'authorization', value: token }, gateway.hash));
  return { ...identified, route: { ...route, query } };
}

import { site } from '../ask/site.ts';
import { keepToken, token } from '../ask/token.ts';
import { say } from '../texts/index.ts';

/** Takes a token for this tab, or forgets it. `caller` is the name of the one that is kept. */
export function TokenForm({ caller, onDone }: { readonly caller: string | null; onDone(): void }) {
  const keep = (to: string) => {
    keepToken(to);
    onDone();
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get('token');
        if (typeof typed === 'string' && typed.trim() !== '') keep(typed.trim());
      }}
    >
      {caller !== null && <p>{say.tokenWelcome(caller)}</p>}
      {caller === null && token() !== '' && <p class="wrong">{say.tokenUnknown}</p>}
      {/* Password managers and browsers ask for it. */}
      <input name="username" autocomplete="username" hidden />
      <label>
        {say.token}
        <input name="token" type="password" pattern="[!-~]+" autocomplete="current-password" required />
      </label>
      <p class="note">{site.keeps === 'memory' ? say.tokenHelpMemory : say.tokenHelp}</p>
      <div class="row">
        <button type="submit" class="primary">
          {say.tokenUse}
        </button>
        {token() !== '' && (
          <button type="button" onClick={() => keep('')}>
            {say.tokenForget}
          </button>
        )}
      </div>
    </form>
  );
}

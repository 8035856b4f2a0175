import { useState } from 'preact/hooks';
import { site } from '../ask/site.ts';
import { keepToken, token } from '../ask/token.ts';
import { say } from '../texts/index.ts';
import { complaintAbout } from './check-token.ts';

/** Stores a token in this tab if the gateway knows it, or removes it. `caller` is the owner of the current token. */
export function TokenForm({ caller, onDone }: { readonly caller: string | null; onDone(): void }) {
  const [wrong, setWrong] = useState(caller === null && token() !== '' ? say.tokenUnknown : '');
  const [isAsking, setAsking] = useState(false);
  const keep = (to: string) => {
    keepToken(to);
    onDone();
  };
  const use = async (typed: string) => {
    setAsking(true);
    const complaint = await complaintAbout(typed);
    if (complaint === null) return keep(typed);
    setWrong(complaint);
    setAsking(false);
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get('token');
        if (typeof typed === 'string' && typed.trim() !== '') void use(typed.trim());
      }}
    >
      {caller !== null && <p>{say.tokenWelcome(caller)}</p>}
      {caller !== null && token() === '' && site.edits && <p class="note">{say.tokenToWrite}</p>}
      {/* Password managers expect a user name field. */}
      <input name="username" autocomplete="username" hidden />
      <label>
        {say.token}
        <input
          name="token"
          type="password"
          pattern="[!-~]+"
          autocomplete="current-password"
          aria-invalid={wrong !== ''}
          required
          onInput={() => setWrong('')}
        />
      </label>
      {wrong !== '' && (
        <p class="wrong" role="alert">
          {wrong}
        </p>
      )}
      <p class="note">{site.keeps === 'memory' ? say.tokenHelpMemory : say.tokenHelp}</p>
      <div class="row">
        <button type="submit" class="primary" disabled={isAsking}>
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
